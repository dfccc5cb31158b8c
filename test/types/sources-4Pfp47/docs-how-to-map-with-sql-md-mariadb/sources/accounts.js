/** @type {import('koa-panel-api').Sources['accounts']} */
module.exports = {
  query: (knex) =>
    knex.from(
      knex.raw(`(
        SELECT id, login, JSON_VALUE(data, '$.mail') AS mail,
          STR_TO_DATE(NULLIF(joined, ''), '%d.%m.%Y %H:%i') AS joined_at,
          CAST(REPLACE(NULLIF(used, ''), '.', '') AS SIGNED) AS used
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
