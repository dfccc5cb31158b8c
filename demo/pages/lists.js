const { html } = require('./html');
const layout = require('./layout');
const table = require('./table');
const { size, status, time, usage } = require('./words');

/** The panel's own lists: the page's title, its rows and its columns. */
const lists = {
  '/accounts': {
    title: 'Accounts',
    rows: (db) => db('accounts').orderBy('username'),
    columns: {
      Account: ({ username, name }) => html`<b>${username}</b> <span class="none">${name}</span>`,
      Role: ({ role }) => role,
      Plan: ({ plan }) => plan,
      Status: (row) => status(row.status),
      'Primary domain': ({ primary_domain }) => primary_domain,
      'Disk space': (row) => usage(row.disk_used_bytes, row.disk_limit_bytes),
      'Last sign-in': ({ last_login_at }) => time(last_login_at, 'never'),
    },
  },
  '/domains': {
    title: 'Domains',
    rows: (db) =>
      db('domains')
        .leftJoin('accounts', 'accounts.id', 'domains.account_id')
        .orderBy('domain')
        .select('domain', 'type', 'username', 'ssl_status', 'registration_expires_at')
        .select({ status: 'domains.status' }),
    columns: {
      Domain: ({ domain }) => html`<b>${domain}</b>`,
      Type: ({ type }) => type,
      Account: ({ username }) => username,
      Status: (row) => status(row.status),
      Certificate: ({ ssl_status }) => status(ssl_status),
      'Registered until': (row) => time(row.registration_expires_at),
    },
  },
  '/certificates': {
    title: 'Certificates',
    rows: (db) => db('ssl').orderByRaw('expires_at IS NULL, expires_at'),
    columns: {
      Name: ({ common_name }) => html`<b>${common_name}</b>`,
      Issuer: ({ issuer }) => issuer,
      Status: (row) => status(row.status),
      Ends: ({ expires_at }) => time(expires_at),
      'Last error': ({ last_error }) => last_error,
    },
  },
  '/backups': {
    title: 'Backups',
    rows: (db) =>
      db('backups')
        .leftJoin('accounts', 'accounts.id', 'backups.account_id')
        .orderBy('backups.id', 'desc')
        .select('backups.*', 'username'),
    columns: {
      Backup: ({ id, scope }) => html`<b>${scope}</b> <span class="none">#${id}</span>`,
      Account: ({ username }) => username ?? 'server',
      Status: (row) => status(row.status),
      Storage: ({ storage }) => storage,
      Size: ({ size_bytes }) => (size_bytes === null ? '' : size(size_bytes)),
      Started: ({ started_at }) => time(started_at),
      Error: ({ error }) => error,
    },
  },
  '/jobs': {
    title: 'Jobs',
    rows: (db) => db('jobs').orderBy('id', 'desc'),
    columns: {
      Job: ({ id, type }) => html`<b>${type}</b> <span class="none">#${id}</span>`,
      Status: (row) => status(row.status),
      'Started by': ({ actor }) => actor,
      Queued: ({ queued_at }) => time(queued_at),
      Ended: ({ finished_at }) => time(finished_at),
      Error: ({ error }) => error,
    },
  },
  '/mails': {
    title: 'Mails',
    rows: (db) => db('mails').orderBy('id', 'desc'),
    columns: {
      Subject: ({ subject }) => html`<b>${subject}</b>`,
      To: ({ recipient }) => recipient,
      Written: ({ created_at }) => time(created_at),
    },
  },
  '/services': {
    title: 'Services',
    rows: (db) => db('services').orderBy('category'),
    columns: {
      Service: ({ name }) => html`<b>${name}</b>`,
      Version: ({ version }) => version,
      Status: (row) => status(row.status),
      Memory: ({ memory_bytes }) => (memory_bytes === null ? '' : size(memory_bytes)),
      Started: ({ started_at }) => time(started_at),
    },
  },
};

module.exports = function listPages(db) {
  return async function listMiddleware(ctx, next) {
    if (!Object.hasOwn(lists, ctx.path)) return next();
    const { title, rows, columns } = lists[ctx.path];
    const found = await rows(db);
    const { actor } = ctx.state;
    const content = html`<h1>${title} <span class="count">${found.length}</span></h1>${table(found, columns)}`;
    ctx.type = 'html';
    ctx.body = layout({ title, content, actor, ctx });
  };
};
