// @ts-check

// A row is written when its backup is complete, and only then.
const completed = /** @type {const} */ ({
  status: { value: 'succeeded' },
  finished_at: { column: 'b.tstamp', time: 'unix' },
  size_bytes: { column: 'b.filesize', null: '' },
  storage: { value: 'local' },
  file_name: 'b.filename',
});

/**
 * Borg alone builds on earlier backups; there are many words for files that stand alone.
 *
 * @param {unknown} mode
 */
const method = (mode) => (mode === 'borg' ? 'incremental' : 'full');

/** @type {import('koa-panel-api').Sources['backups']} */
module.exports = [
  // Part 0: files and databases of a website, which may be gone.
  {
    query: (knex) =>
      knex('web_backup as b')
        .leftJoin('web_domain as w', 'w.domain_id', 'b.parent_domain_id')
        .leftJoin('sys_group as g', 'g.groupid', 'w.sys_groupid'),
    fields: {
      id: 'b.backup_id',
      account_id: { column: 'g.client_id', null: 0 },
      website_id: { column: 'b.parent_domain_id', null: 0 },
      scope: { column: 'b.backup_type', values: { web: 'website', mysql: 'database', mongodb: 'database' } },
      method: { column: 'b.backup_mode', from: method },
      ...completed,
    },
  },
  // Part 1: mailboxes. Here parent_domain_id means a mail domain.
  {
    query: (knex) =>
      knex('mail_backup as b')
        .leftJoin('mail_user as u', 'u.mailuser_id', 'b.mailuser_id')
        .leftJoin('sys_group as g', 'g.groupid', 'u.sys_groupid'),
    fields: {
      id: 'b.backup_id',
      account_id: { column: 'g.client_id', null: 0 },
      scope: { value: 'email' },
      method: { column: 'b.backup_mode', from: method },
      ...completed,
    },
  },
];
