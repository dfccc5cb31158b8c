/** @type {import('koa-panel-api').Sources['cron']} */
module.exports = {
  query: (knex) =>
    knex('crontab as t').joinRaw(`LEFT JOIN customers AS c ON c.login = t.login
      AND LOWER(c.login) COLLATE utf8mb4_bin = LOWER(t.login) COLLATE utf8mb4_bin`),
  fields: {
    id: 't.id',
    account_id: 'c.id',
    schedule: 't.line',
    enabled: { value: true },
    next_run_at: false,
  },
};
