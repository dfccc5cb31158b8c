Object.defineProperty(exports, '__esModule', { value: true });
const { knex } = require('knex');

exports.default = () => ({ db: knex({ client: 'mysql2', connection: process.env.TEST_DATABASE }) });
