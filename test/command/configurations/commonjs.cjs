const { knex } = require('knex');

console.log('The panel says hello.');

module.exports = {
  db: knex({ client: 'mysql2', connection: process.env.TEST_DATABASE }),
  logger: console,
  tablePrefix: 'own_',
  tokenPrefix: 'acme',
};

// A panel opens things that nobody closes.
setInterval(() => console.log('The panel is alive.'), 50);
