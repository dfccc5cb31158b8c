const { html } = require('./html');
const layout = require('./layout');
const table = require('./table');
const { size, status, time } = require('./words');

const fewRows = 5;

/** The first page: the panel's figures, and what needs attention. */
module.exports = function dashboard(db, api) {
  return async function dashboardMiddleware(ctx, next) {
    if (ctx.path !== '/') return next();
    const { actor } = ctx.state;
    const content = html`<h1>Dashboard</h1>
${await figures(db, api)}
<div class="columns">
${await certificates(db)}
${await jobs(db)}
${await backups(db)}
${await services(db)}
</div>`;
    ctx.type = 'html';
    ctx.body = layout({ title: 'Dashboard', content, actor, ctx });
  };
};

async function figures(db, api) {
  const count = async (query) => (await query.count({ rows: '*' }))[0].rows;
  const [{ used }] = await db('accounts').sum({ used: 'disk_used_bytes' });
  const isOn = await api.settings.enabled();
  const all = [
    [
      'Accounts',
      await count(db('accounts')),
      `${await count(db('accounts').where('status', 'suspended'))} suspended`,
      '/accounts',
    ],
    ['Domains', await count(db('domains')), `${await count(db('websites'))} websites`, '/domains'],
    ['Mailboxes', await count(db('email')), `${await count(db('databases'))} databases`, null],
    ['Disk space', size(Number(used)), 'used by all accounts', '/accounts'],
    ['API', isOn ? 'on' : 'off', isOn ? 'for tokens' : 'switch it on', '/admin/api/'],
  ];
  return html`<ul class="figures">${all.map(
    ([name, figure, note, to]) =>
      html`<li><span>${to ? html`<a href="${to}">${name}</a>` : name}</span> <b>${figure}</b> <small>${note}</small></li>`,
  )}</ul>`;
}

async function certificates(db) {
  const rows = await db('ssl')
    .whereIn('status', ['expiring', 'expired'])
    .orderByRaw("status = 'expired', expires_at")
    .limit(fewRows);
  return card('Certificates that end soon', '/certificates', rows, {
    Name: ({ common_name }) => common_name,
    Status: (row) => status(row.status),
    Ends: ({ expires_at }) => time(expires_at),
  });
}

async function jobs(db) {
  const rows = await db('jobs').where('status', 'failed').orderBy('id', 'desc').limit(fewRows);
  return card('Failed jobs', '/jobs', rows, {
    Job: ({ type }) => type,
    Error: ({ error }) => error,
    Ended: ({ finished_at }) => time(finished_at),
  });
}

async function backups(db) {
  const rows = await db('backups')
    .leftJoin('accounts', 'accounts.id', 'backups.account_id')
    .whereIn('backups.status', ['failed', 'partial'])
    .orderBy('backups.id', 'desc')
    .limit(fewRows)
    .select('scope', 'username', 'finished_at', { status: 'backups.status' });
  return card('Failed backups', null, rows, {
    Backup: ({ scope, username }) => html`${scope} ${username}`,
    Status: (row) => status(row.status),
    Ended: ({ finished_at }) => time(finished_at),
  });
}

async function services(db) {
  const rows = await db('services').orderByRaw("status = 'running', name").limit(fewRows);
  return card('Services', '/services', rows, {
    Service: ({ name }) => name,
    Status: (row) => status(row.status),
    Memory: ({ memory_bytes }) => (memory_bytes === null ? '' : size(memory_bytes)),
  });
}

function card(title, to, rows, columns) {
  const heading = to ? html`<a href="${to}">${title}</a>` : title;
  return html`<section class="card"><h2>${heading}</h2>${table(rows, columns)}</section>`;
}
