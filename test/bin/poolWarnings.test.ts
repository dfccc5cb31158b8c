import { runInThisContext } from 'node:vm';
import { type Knex, knex } from 'knex';
import { poolWarnings } from '../../bin/commands/check';
import { shippedPages } from '../docs/Page';

function handleOf(settings: Knex.Config): Knex {
  // Without a connection knex loads no driver, and better-sqlite3 need not be installed.
  const connection = settings.client === 'better-sqlite3' ? {} : { connection: {} };
  return knex({ ...connection, ...settings });
}

const warningsOf = (settings: Knex.Config) => poolWarnings(handleOf(settings));

describe('The settings of a pool', () => {
  test.each<[string, Knex.Config, string]>([
    ['mysql2', {}, 'connectTimeout'],
    ['mysql2', { connection: { connectTimeout: 60_000 } as object }, 'connectTimeout'],
    ['mysql2', { pool: { createTimeoutMillis: 2000 } }, 'connectTimeout'],
    ['pg', {}, 'connectionTimeoutMillis'],
    ['pg', { connection: { connectionTimeoutMillis: 5000 } as object }, 'connectionTimeoutMillis'],
    // knex does not close the socket of a connection that it gives up.
    ['pg', { pool: { createTimeoutMillis: 2000 } }, 'connectionTimeoutMillis'],
  ])('of %s cause a warning if the driver may connect for long: %j', (client, settings, option) => {
    const [warning, ...others] = warningsOf({ client, ...settings });
    expect(others).toEqual([]);
    expect(warning).toContain(`Set connection.${option} to at most 2000.`);
  });

  test.each<[string, Knex.Config]>([
    ['mysql2', { connection: { connectTimeout: 1500 } as object }],
    ['mysql2', { connection: 'mysql://panel@db.example/panel?connectTimeout=2000' }],
    ['pg', { connection: { connectionTimeoutMillis: 2000 } as object }],
    ['mysql2', { connection: () => ({ host: 'db.example' }) }],
    ['better-sqlite3', { useNullAsDefault: true }],
  ])('of %s cause no warning otherwise: %j', (client, settings) => {
    expect(warningsOf({ client, ...settings })).toEqual([]);
  });

  test('of two handles cause one warning', () => {
    const waits = (connectionTimeoutMillis: number) =>
      handleOf({ client: 'pg', connection: { connectionTimeoutMillis } as object });
    expect(poolWarnings(waits(5000), waits(8000))).toHaveLength(1);
    expect(poolWarnings(waits(2000), waits(8000))).toHaveLength(1);
  });

  const shown = shippedPages().flatMap(({ path, text }) =>
    [...text.matchAll(/\bknex(\(\{\s*client: '(?:mysql2|pg)'[\s\S]*?\}\));$/gm)].map(
      ([, call]) => [path, call] as const,
    ),
  );

  test.each(shown)('that %s shows cause no warning', (_path, call) => {
    const process = { env: { DATABASE_URL: 'mysql://panel:secret@db.example/panel' } };
    const handle = runInThisContext(`(knex, process) => knex${call}`)(knex, process) as Knex;
    expect(poolWarnings(handle)).toEqual([]);
    const { user, database } = handle.client.connectionSettings;
    if (user === undefined) expect(handle.client.connectionSettings.uri).toBe(process.env.DATABASE_URL);
    else expect(database).toBeDefined();
  });

  test('are shown for panels without knex', () => {
    expect(shown.map(([path]) => path)).toContain('docs/how-to/other-data-layers.md');
  });
});
