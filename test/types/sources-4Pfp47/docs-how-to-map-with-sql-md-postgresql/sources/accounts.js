/** @type {import('koa-panel-api').Sources['accounts']} */
module.exports = {
  query: (knex) =>
    knex.from(
      knex.raw(`(
        SELECT id, login, data->>'mail' AS mail,
          CAST(to_timestamp(NULLIF(joined, ''), 'DD.MM.YYYY HH24:MI') AS timestamp) AS joined_at,
          CAST(replace(NULLIF(used, ''), '.', '') AS bigint) AS used
        FROM customers
      ) AS d`),
    ),
  fields: {
    id: 'd.id',
    username: 'd.login',
    email: 'd.mail',
    disk_used_bytes: 'd.used',
    created_at: { column: 'd.joined_at', zone: 'Europe/Berlin' },
  },
};
