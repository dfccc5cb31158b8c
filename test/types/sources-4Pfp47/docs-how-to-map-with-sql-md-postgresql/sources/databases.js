/** @type {import('koa-panel-api').Sources['databases']} */
module.exports = {
  query: (knex) =>
    knex.from(
      knex.raw(`(
        SELECT id, name, 'mysql' AS engine, bytes FROM mysql_databases
        UNION ALL
        SELECT id, name, 'postgresql', bytes FROM pg_databases
      ) AS d`),
    ),
  fields: {
    id: { columns: { engine: 'd.engine', id: 'd.id' }, compute: ({ engine, id }) => `${engine}-${id}` },
    name: 'd.name',
    engine: 'd.engine',
    size_bytes: 'd.bytes',
  },
};
