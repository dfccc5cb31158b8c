/** @type {import('koa-panel-api').Sources['email']} */
module.exports = {
  query: (knex) =>
    knex.from(
      knex.raw(`(
        SELECT f.id, f.address,
          (SELECT json_agg(t.target ORDER BY t.target) FROM forward_targets AS t WHERE t.forward = f.id) AS targets
        FROM forwards AS f
      ) AS d`),
    ),
  fields: {
    id: 'd.id',
    address: 'd.address',
    type: { value: 'forwarder' },
    status: { value: 'active' },
    forward_to: 'd.targets',
  },
};
