import { type Knex, knex } from 'knex';
import { poolWarnings } from '../../bin/commands/check';

function handleOf(settings: Knex.Config): Knex {
  // Without a connection knex loads no driver, and better-sqlite3 need not be installed.
  const connection = settings.client === 'better-sqlite3' ? {} : { connection: {} };
  return knex({ ...connection, ...settings });
}

const warningsOf = (settings: Knex.Config) => poolWarnings(handleOf(settings));

describe('The settings of a pool', () => {
  test.each<[string, Knex.Config, string]>([
    ['mysql2', {}, '10 s'],
    ['mysql2', { connection: { connectTimeout: 60_000 } as object }, '30 s'],
    ['pg', {}, '30 s'],
    ['pg', { pool: { createTimeoutMillis: 5000 } }, '5 s'],
  ])('of %s cause a warning if a new connection may take long: %j', (client, settings, time) => {
    const [warning, ...others] = warningsOf({ client, ...settings });
    expect(others).toEqual([]);
    expect(warning).toContain(`waits up to ${time} for a new connection`);
  });

  test.each<[string, Knex.Config]>([
    ['mysql2', { pool: { createTimeoutMillis: 2000 } }],
    ['mysql2', { connection: { connectTimeout: 1500 } as object }],
    ['pg', { connection: { connectionTimeoutMillis: 2000 } as object }],
    ['mysql2', { connection: () => ({ host: 'db.example' }) }],
    ['better-sqlite3', { useNullAsDefault: true }],
  ])('of %s cause no warning otherwise: %j', (client, settings) => {
    expect(warningsOf({ client, ...settings })).toEqual([]);
  });

  test('of two handles cause one warning, for the longer one', () => {
    const waits = (createTimeoutMillis: number) => handleOf({ client: 'pg', pool: { createTimeoutMillis } });
    const [warning, ...others] = poolWarnings(waits(5000), waits(8000));
    expect(others).toEqual([]);
    expect(warning).toContain('waits up to 8 s');
  });
});
