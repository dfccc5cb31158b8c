const { html } = require('./html');
const layout = require('./layout');
const table = require('./table');
const { size, status, time, usage } = require('./words');

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
${await diskSpace(db)}
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
  const suspended = await count(db('accounts').where('status', 'suspended'));
  const all = [
    ['Accounts', await count(db('accounts')), `${suspended} suspended`, '/accounts'],
    ['Domains', await count(db('domains')), `${await count(db('websites'))} websites`, '/domains'],
    ['Mailboxes', await count(db('email').where('type', 'mailbox')), 'without forwarders', null],
    ['Databases', await count(db('databases')), 'of all accounts', null],
    ['Disk space', size(Number(used)), 'used by all accounts', null],
    [
      'API',
      isOn ? 'On' : 'Off',
      isOn ? 'answers tokens' : 'switch it on',
      isOn ? '/admin/api/' : '/settings',
    ],
  ];
  return html`<ul class="figures">${all.map(
    ([name, figure, note, to]) =>
      html`<li><span>${to ? html`<a href="${to}">${name}</a>` : name}</span> <b>${figure}</b> <small>${note}</small></li>`,
  )}</ul>`;
}

async function certificates(db) {
  const rows = await db('ssl')
    .whereIn('status', ['expiring', 'expired'])
    .orderByRaw("status = 'expired', expires_at");
  return card('Certificates that end soon', '/certificates', rows, {
    Name: ({ common_name }) => common_name,
    Status: (row) => status(row.status),
    Ends: ({ expires_at }) => time(expires_at),
  });
}

async function jobs(db) {
  const rows = await db('jobs').where('status', 'failed').orderBy('id', 'desc');
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
    .select('scope', 'username', 'finished_at', { status: 'backups.status' });
  return card('Failed backups', '/backups', rows, {
    Backup: ({ scope, username }) => html`${scope} <span class="none">${username}</span>`,
    Status: (row) => status(row.status),
    Ended: ({ finished_at }) => time(finished_at),
  });
}

async function diskSpace(db) {
  const rows = await db('accounts')
    .whereRaw('disk_used_bytes >= 0.7 * disk_limit_bytes')
    .orderByRaw('1.0 * disk_used_bytes / disk_limit_bytes desc');
  return card('Accounts that run out of disk space', '/accounts', rows, {
    Account: ({ username }) => username,
    'Disk space': (row) => usage(row.disk_used_bytes, row.disk_limit_bytes),
  });
}

async function services(db) {
  const rows = await db('services').orderByRaw("status = 'running', name");
  const names = rows.map((row) => html`<li>${row.name} ${status(row.status)}</li>`);
  return html`<section class="card whole"><h2><a href="/services">Services</a></h2><ul class="services">${names}</ul></section>`;
}

function card(title, to, rows, columns) {
  return html`<section class="card"><h2><a href="${to}">${title}</a> <span class="count">${rows.length}</span></h2>
${table(rows.slice(0, fewRows), columns)}</section>`;
}
