import type { Knex } from 'knex';

/** Creates the panel's table of domains with this number of rows. */
export async function createDomains(knex: Knex, rows: number): Promise<void> {
  await knex.schema.createTable('domains', (table) => {
    table.increments('id');
    for (const name of ['domain', 'type', 'ssl_status', 'status']) table.string(name);
  });
  const domains = Array.from({ length: rows }, (_, index) => ({
    domain: `site${index}.example`,
    type: 'primary',
    ssl_status: 'active',
    status: 'active',
  }));
  await knex.batchInsert('domains', domains, 500);
}
