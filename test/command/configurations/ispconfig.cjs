const { knex } = require('knex');
const ispconfigSources = require('../../../demo/ispconfig/sources');

const db = knex({
  client: 'mysql2',
  connection: process.env.TEST_DATABASE,
  pool: { createTimeoutMillis: 2000 },
});

module.exports = { db, logger: console, sources: ispconfigSources(db) };
