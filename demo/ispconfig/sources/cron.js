// @ts-check

/** @type {import('koa-panel-api').Sources['cron']} */
module.exports = {
  query: (knex) =>
    knex('cron as c')
      .leftJoin('web_domain as w', 'w.domain_id', 'c.parent_domain_id')
      .leftJoin('sys_group as g', 'g.groupid', 'c.sys_groupid'),
  fields: {
    id: 'c.id',
    account_id: { column: 'g.client_id', null: 0 },
    website_id: { column: 'c.parent_domain_id', null: 0 },
    schedule: {
      columns: {
        minute: 'c.run_min',
        hour: 'c.run_hour',
        day: 'c.run_mday',
        month: 'c.run_month',
        weekday: 'c.run_wday',
      },
      compute: ({ minute, hour, day, month, weekday }) =>
        month === '@reboot'
          ? '@reboot'
          : // ISPConfig leaves out the spaces in them too.
            [minute, hour, day, month, weekday].map((field) => String(field).replaceAll(' ', '')).join(' '),
    },
    type: { column: 'c.type', values: { url: 'url', chrooted: 'command', full: 'command' } },
    command: 'c.command',
    run_as: 'w.system_user',
    enabled: { column: 'c.active', true: 'y' },
  },
};
