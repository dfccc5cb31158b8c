import { setTimeout as sleep } from 'node:timers/promises';
import { knex as connect, type Knex } from 'knex';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { createDomains } from '../fixture/createDomains';
import { openHandle, type TestDatabase } from '../fixture/databases';
import { freeze } from '../fixture/faults/freeze';
import { HeldTables } from '../fixture/faults/heldTables';
import { QUIET } from '../fixture/faults/ownDatabase';
import { schemaOf } from '../fixture/migrations/schemaOf';
import { type HostProcess, startHost } from '../fixture/processes/hostProcess';
import { openList } from '../fixture/streams/openList';
import { until } from '../fixture/until';
import type { PrivateServer } from '../servers/PrivateServer';
import { startPostgresql } from '../servers/startPostgresql';
import { ask, longestOutageMs, notLoggedOnce, outcomes, startLoad, wrongLists } from './load';
import { NO_LIMIT, outcomesAfterRevocation, outcomesOfBurst } from './promises';
import { type Pgbouncer, startPgbouncer } from './servers/startPgbouncer';

const ME = '/api/v1/me.php';
const LIST = '/api/v1/domains.php';
const LONG = '/api/v1/websites.php';
const ROWS = 200;
const LONG_ROWS = 20_000;
const PROCESSES = 8;
const DEADLINE_MS = 2000;
/** What PgBouncer itself sets for each client. */
const TRACKED = `'application_name', 'client_encoding', 'DateStyle', 'TimeZone', 'standard_conforming_strings'`;
// In session mode, each connection of a pool of the panel keeps one.
const POOL_SIZES = { session: 100, transaction: 4 };

describe.each(['session', 'transaction'] as const)(
  'Eight panel processes on PgBouncer in %s mode',
  (mode) => {
    let postgresql: PrivateServer;
    let pgbouncer: Pgbouncer;
    /** The database without PgBouncer. */
    let direct: TestDatabase;
    let hosts: readonly HostProcess[];
    let token: string;

    const databaseOf = (url: string): TestDatabase => ({
      engine: 'postgresql',
      url,
      knex: openHandle({ ...QUIET, client: 'pg', connection: url }),
    });

    const create = async (name: string) => {
      const admin = databaseOf(postgresql.url);
      await admin.knex.raw(`CREATE DATABASE ${name}`);
      return databaseOf(Object.assign(new URL(postgresql.url), { pathname: `/${name}` }).href);
    };

    beforeAll(async () => {
      postgresql = await startPostgresql();
      closeAtEnd(() => postgresql.stop());
      pgbouncer = await startPgbouncer(postgresql, mode, POOL_SIZES[mode]);
      direct = await create('panel');
      await createDomains(direct.knex, ROWS);
      await createLongWebsites(direct.knex);
      const database = { engine: 'postgresql' as const, url: pgbouncer.urlOf('panel') };
      const options = { rateLimit: NO_LIMIT, deadlineMs: DEADLINE_MS };
      hosts = await Promise.all(Array.from({ length: PROCESSES }, () => startHost(database, { options })));
      // The first statement of each process creates the tables.
      const created = await Promise.all(hosts.map((host) => host.create()));
      token = created[0]!.token;
    });

    test('create the tables once, and leave no lock', async () => {
      const other = await create('other');
      const host = await startHost(other);
      await host.create();
      const tables = async (database: TestDatabase) =>
        (await schemaOf(database)).filter((line) => JSON.stringify(line).includes('panel_api_'));
      expect(await tables(direct)).toEqual(await tables(other));
      const { rows } = await direct.knex.raw(`SELECT * FROM pg_locks WHERE locktype = 'advisory'`);
      expect(rows).toEqual([]);
    });

    test('obey a revocation at once', async () => {
      const tokens = 20;
      expect(await outcomesAfterRevocation(hosts, tokens)).toEqual({
        '401 token_revoked': tokens * (PROCESSES - 1),
      });
    });

    test('serve exactly the limit', async () => {
      expect(await outcomesOfBurst(hosts, 200)).toEqual({ '200': 200, '429 rate_limited': 20 });
    });

    test('answer every request of a load whole, log it once, and leave nothing in the session of a server', async () => {
      const load = startLoad(hosts, { token, paths: [LIST, ME] });
      await load.untilGood(2000);
      const asked = await load.stop();
      expect(outcomes(asked)).toEqual({ 200: asked.length });
      expect(wrongLists(asked, ROWS)).toEqual([]);
      expect(await notLoggedOnce(hosts, asked)).toEqual([]);
      // In transaction mode, PgBouncer gives clients that come one after another the same server connection.
      expect(await sessionsLeftBehind()).toEqual([[], [], [], []]);
    });

    /** What clients have left in each of four server connections that PgBouncer gives to new clients at once. */
    async function sessionsLeftBehind(): Promise<readonly unknown[]> {
      const client = connect({
        client: 'pg',
        connection: pgbouncer.urlOf('panel'),
        pool: { min: 0, max: 4 },
      });
      const held = await Promise.all(Array.from({ length: 4 }, () => client.transaction()));
      try {
        const found = await Promise.all(
          held.map((connection) =>
            connection.raw(`SELECT pg_backend_pid() AS pid, ARRAY(
              SELECT name FROM pg_prepared_statements UNION ALL SELECT name FROM pg_cursors
              UNION ALL SELECT name FROM pg_settings WHERE source = 'session' AND name NOT IN (${TRACKED})) AS names`),
          ),
        );
        expect(new Set(found.map(({ rows }) => rows[0].pid)).size).toBe(4);
        return found.map(({ rows }) => rows[0].names);
      } finally {
        await Promise.all(held.map((connection) => connection.rollback()));
        await client.destroy();
      }
    }

    test('send long lists whole while other requests use the same connections', async () => {
      const lists = await Promise.all([0, 1].map((host) => openList(hosts[host]!.url + LONG, token)));
      const beginnings = await Promise.all(lists.map((list) => list.some()));
      const asked = await Promise.all(hosts.map((host) => ask(host, ME, token)));
      expect(outcomes(asked)).toEqual({ 200: PROCESSES });
      for (const [index, list] of lists.entries()) {
        const { text, whole } = await list.rest();
        expect([whole, JSON.parse(beginnings[index] + text).data.items.length]).toEqual([true, LONG_ROWS]);
      }
    });

    test('end each statement with its request while a table is locked', async () => {
      const alone = () =>
        openHandle({ ...QUIET, client: 'pg', connection: direct.url, pool: { min: 1, max: 1 } });
      const tables = new HeldTables('postgresql', alone(), alone());
      await tables.hold(['domains']);
      const asked = await Promise.all(hosts.map((host) => ask(host, LIST, token)));
      expect(outcomes(asked)).toEqual({ '503 unavailable': PROCESSES });
      await until(async () => (await tables.others()).running === 0);
      await tables.release();
      await until(isGood);
    });

    const isGood = async () =>
      outcomes(await Promise.all(hosts.map((host) => ask(host, ME, token))))[200] === PROCESSES;

    test('answer within the deadline while PgBouncer is frozen, and heal', async () => {
      const thaw = freeze(pgbouncer.server);
      const started = performance.now();
      const asked = await Promise.all(hosts.map((host) => ask(host, ME, token)));
      thaw();
      expect(outcomes(asked)).toEqual({ '503 unavailable': PROCESSES });
      expect(performance.now() - started).toBeLessThan(DEADLINE_MS + 1000);
      await until(isGood);
    });

    // In session mode, PAUSE waits until all clients have left.
    if (mode === 'transaction')
      test('answer within the deadline while PgBouncer is paused, and heal', async () => {
        await pgbouncer.command('PAUSE panel');
        const started = performance.now();
        const asked = await Promise.all(hosts.map((host) => ask(host, ME, token)));
        expect(outcomes(asked)).toEqual({ '503 unavailable': PROCESSES });
        expect(performance.now() - started).toBeLessThan(DEADLINE_MS + 1000);
        await pgbouncer.command('RESUME panel');
        await until(isGood);
      });

    test('answer 200 or 503 while PgBouncer is killed and started again', async () => {
      const load = startLoad(hosts, { token, paths: [LIST, ME] });
      await load.untilGood(200);
      await pgbouncer.server.kill();
      await sleep(500);
      await pgbouncer.server.start();
      await load.untilGood(200);
      const asked = await load.stop();
      expect(Object.keys(outcomes(asked))).toEqual(['200', '503 unavailable']);
      expect(wrongLists(asked, ROWS)).toEqual([]);
      expect(await notLoggedOnce(hosts, asked)).toEqual([]);
      expect(longestOutageMs(asked)).toBeLessThan(5000);
    });

    test('keep every promise while server connections are dropped under load', async () => {
      const limited = await hosts[0]!.create({ rateLimit: 100 });
      const load = startLoad(hosts, { token, paths: [LIST, ME] });
      const limitedLoad = startLoad(hosts, { token: limited.token, paths: [ME], clients: 1, pauseMs: 50 });
      const late: string[] = [];
      for (let turn = 0; turn < 20; turn += 1) {
        await direct.knex.raw(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'panel' AND pid <> pg_backend_pid()`,
        );
        const created = await hosts[0]!.create().catch(() => null);
        if (created === null) continue;
        const revoked = await hosts[1]!.revoke(created.record.id).catch(() => null);
        if (revoked === null) continue;
        const uses = await Promise.all(hosts.map((host) => ask(host, ME, created.token)));
        late.push(...uses.map(({ status, code }) => `${status} ${code}`));
      }
      await load.untilGood(200);
      await until(() => limitedLoad.asked.some(({ status }) => status === 429));
      const asked = await load.stop();
      const limitedAsked = await limitedLoad.stop();
      expect(Object.keys(outcomes(asked)).filter((outcome) => outcome !== '503 unavailable')).toEqual([
        '200',
      ]);
      expect(wrongLists(asked, ROWS)).toEqual([]);
      expect(await notLoggedOnce(hosts, [...asked, ...limitedAsked])).toEqual([]);
      expect(outcomes(limitedAsked)[200]).toBeLessThanOrEqual(100);
      const answered = late.filter((outcome) => outcome !== '503 unavailable');
      expect(new Set(answered)).toEqual(new Set(['401 token_revoked']));
      expect(answered.length).toBeGreaterThan(20);
      const { rows } = await direct.knex.raw(
        `SELECT t.id FROM panel_api_tokens t LEFT JOIN panel_api_audit_log e ON e.token_id = t.id AND e.action = 'token.created'
        GROUP BY t.id HAVING count(e.id) <> 1`,
      );
      expect(rows).toEqual([]);
    });
  },
);

describe('Slow readers through PgBouncer in transaction mode', () => {
  test('use up its connections: other requests get 503 until one has ended, and their lists are whole', async () => {
    const postgresql = await startPostgresql();
    closeAtEnd(() => postgresql.stop());
    const pgbouncer = await startPgbouncer(postgresql, 'transaction', 2);
    const direct = openHandle({ ...QUIET, client: 'pg', connection: postgresql.url });
    await createLongWebsites(direct);
    const database = { engine: 'postgresql' as const, url: pgbouncer.urlOf('postgres') };
    const options = { rateLimit: NO_LIMIT, deadlineMs: DEADLINE_MS };
    const hosts = await Promise.all([startHost(database, { options }), startHost(database, { options })]);
    const { token } = await hosts[0]!.create();
    const lists = await Promise.all(hosts.map(({ url }) => openList(url + LONG, token)));
    const beginnings = await Promise.all(lists.map((list) => list.some()));
    const refused = await ask(hosts[0]!, ME, token);
    expect(refused).toMatchObject({ status: 503, code: 'unavailable' });
    expect(refused.answeredMs - refused.sentMs).toBeLessThan(DEADLINE_MS + 500);
    for (const [index, list] of lists.entries()) {
      const { text, whole } = await list.rest();
      expect([whole, JSON.parse(beginnings[index] + text).data.items.length]).toEqual([true, LONG_ROWS]);
    }
    expect(await ask(hosts[0]!, ME, token)).toMatchObject({ status: 200 });
  });
});

/** Creates the panel's table of websites, longer than the buffers of a connection. */
async function createLongWebsites(knex: Knex): Promise<void> {
  await knex.schema.createTable('websites', (table) => {
    table.increments('id');
    for (const name of ['domain', 'document_root', 'status']) table.string(name, 500);
  });
  await knex.raw(
    `INSERT INTO websites (domain, document_root, status)
      SELECT 'site.example', repeat('long', 120), 'active' FROM generate_series(1, ${LONG_ROWS})`,
  );
}
