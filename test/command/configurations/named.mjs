import knex from 'knex';

export const db = knex({ client: 'mysql2', connection: process.env.TEST_DATABASE });
