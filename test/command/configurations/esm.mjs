import knex from 'knex';

export default async function options() {
  const db = knex({ client: 'mysql2', connection: process.env.TEST_DATABASE });
  const [rows] = await db.raw('select 1 as one');
  process.stdout.write(`The panel read ${rows[0].one} row.\n`);
  return { db, enabled: async () => true, migrate: false, sources: { jobs: false } };
}
