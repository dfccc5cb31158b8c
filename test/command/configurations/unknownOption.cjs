const { knex } = require('knex');

module.exports = { db: knex({ client: 'mysql2', connection: process.env.TEST_DATABASE }), prefix: 's3cret' };
