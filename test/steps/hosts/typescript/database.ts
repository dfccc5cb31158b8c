import knex, { type Knex } from 'knex';

export const db: Knex = knex({ client: 'mysql2', connection: process.env.PANEL_API_DATABASE_URL! });
