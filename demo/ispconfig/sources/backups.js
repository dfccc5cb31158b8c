// @ts-check

/**
 * ISPConfig writes a row only when its backup is complete.
 *
 * @satisfies {import('koa-panel-api').SourcePart<'backups'>['fields']}
 */
const completed = {
  id: 'b.backup_id',
  account_id: { column: 'g.client_id', null: 0 },
  // Only Borg builds on earlier backups. There are many words for complete ones.
  method: { column: 'b.backup_mode', values: { borg: 'incremental' }, otherwise: 'full' },
  status: { value: 'succeeded' },
  finished_at: { column: 'b.tstamp', time: 'unix' },
  size_bytes: { column: 'b.filesize', null: '' },
  storage: { value: 'local' },
  file_name: 'b.filename',
};

/** @type {import('koa-panel-api').Sources['backups']} */
module.exports = [
  // Part 0: files and databases of a website, which may have been deleted.
  {
    query: (knex) =>
      knex('web_backup as b')
        .leftJoin('web_domain as w', 'w.domain_id', 'b.parent_domain_id')
        .leftJoin('sys_group as g', 'g.groupid', 'w.sys_groupid'),
    fields: {
      ...completed,
      website_id: 'w.domain_id',
      scope: { column: 'b.backup_type', values: { web: 'website', mysql: 'database', mongodb: 'database' } },
    },
  },
  // Part 1: mailboxes. Here parent_domain_id is a mail domain.
  {
    query: (knex) =>
      knex('mail_backup as b')
        .leftJoin('mail_user as u', 'u.mailuser_id', 'b.mailuser_id')
        .leftJoin('sys_group as g', 'g.groupid', 'u.sys_groupid'),
    fields: { ...completed, scope: { value: 'email' } },
  },
];
