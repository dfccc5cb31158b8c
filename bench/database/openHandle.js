const knex = require('knex');

/** A handle as a panel opens it, with knex's own size of the pool. */
function openHandle(url) {
  return knex({ client: 'mysql2', connection: url });
}

module.exports = { openHandle };
