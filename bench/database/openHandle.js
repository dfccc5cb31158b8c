const knex = require('knex');

/** A handle like a panel's, with knex's default pool size. */
function openHandle(url) {
  return knex({ client: 'mysql2', connection: url });
}

module.exports = { openHandle };
