/** @type {import('koa-panel-api').Sources['cron']} */
module.exports = {
  query: (knex) =>
    knex('crontab as t').joinRaw(`LEFT JOIN customers AS c
      ON LOWER(c.login) COLLATE "C" = LOWER(t.login) COLLATE "C" AND LOWER(c.login) = LOWER(t.login)`),
  fields: {
    id: 't.id',
    account_id: 'c.id',
    schedule: 't.line',
    enabled: { value: true },
    next_run_at: false,
  },
};
