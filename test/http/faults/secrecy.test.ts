import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { TestDatabase } from '../../fixture/databases';
import { describeOwnServer } from '../../fixture/describeOwnServer';
import { leaks } from '../../fixture/faults/leaks';
import { ownDatabase } from '../../fixture/faults/ownDatabase';
import { type HostProcess, startHost } from '../../fixture/processes/hostProcess';
import type { PrivateServer } from '../../servers/PrivateServer';
import '../../fixture/tryAgain';

const PATHS = ['me', 'domains', 'health', 'release-audit', 'nope'].map((name) => `/api/v1/${name}.php`);
const SQL = /`panel_api_|"panel_api_|\b(select|insert|update|delete)\b.+\b(from|into|set|values)\b/i;

describe('The search for leaks', () => {
  const hash = createHash('sha256').update('canary').digest();
  const token = Buffer.from('pnl_abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ');
  const secrets = { hash, token };

  test.each([
    ['in hexadecimal', hash.toString('hex'), ['hash']],
    ['in upper case', hash.toString('hex').toUpperCase(), ['hash']],
    ['in part', hash.toString('hex').slice(8, 30), ['hash']],
    ['in base64', hash.toString('base64'), ['hash']],
    ['as Node prints it', inspect({ hash }), ['hash']],
    ['as JSON', JSON.stringify({ hash }), ['hash']],
    ['as bytes', hash.toString('latin1'), ['hash']],
    ['within a sentence', `The token ${token} is wrong.`, ['token']],
    ['as what is kept of it for recognition', token.toString().slice(0, 10), []],
  ])('finds a secret %s', (_form, text, found) => {
    expect(leaks(text, secrets)).toEqual(found);
  });
});

for (const engine of ['mariadb', 'postgresql'] as const) {
  describeOwnServer(`A process of a panel whose ${engine} fails`, engine, (start) => {
    let server: PrivateServer;
    let database: TestDatabase;
    let host: HostProcess;
    let secrets: Readonly<Record<string, Buffer>>;
    let token: string;
    let victim: number;
    let answers: string;

    beforeAll(async () => {
      server = await start();
      database = await ownDatabase(server, engine);
      host = await startHost(database, { options: { deadlineMs: 1500, rateLimit: { requests: 10_000 } } });
      answers = '';
      ({ token } = await host.create());
      victim = (await host.create()).record.id;
      secrets = {
        token: Buffer.from(token),
        hash: createHash('sha256').update(token).digest(),
        password: Buffer.from(new URL(server.url).password),
      };
    });

    const ask = async () => {
      const got = await Promise.all(
        [token, `${token.slice(0, -1)}_`, undefined].flatMap((bearer) =>
          PATHS.map((path) => host.get(path, bearer)),
        ),
      );
      for (const { headers, text } of got) answers += `${inspect([...headers])}\n${text}\n`;
      return new Set(got.map(({ status }) => status));
    };

    const rename = (from: string, to: string) => database.knex.schema.renameTable(from, to);

    const renameColumn = (from: string, to: string) =>
      database.knex.schema.alterTable('panel_api_tokens', (table) => table.renameColumn(from, to));

    const faults: Readonly<Record<string, () => Promise<void>>> = {
      async 'a table that is not there'() {
        for (const name of ['tokens', 'rate_limits', 'migrations', 'audit_log']) {
          await rename(`panel_api_${name}`, 'elsewhere');
          await ask();
          for (const change of [host.create(), host.revoke(victim), host.audit()])
            answers += `${await change.then(inspect, inspect)}\n`;
          await rename('elsewhere', `panel_api_${name}`);
        }
      },
      async 'a column that is not there'() {
        await renameColumn('scopes', 'elsewhere');
        await ask();
        answers += `${await host.create().then(inspect, inspect)}\n`;
        await renameColumn('elsewhere', 'scopes');
      },
      async 'a kill while requests wait for it'() {
        const blocker = await database.knex.transaction();
        await blocker('panel_api_tokens').forUpdate();
        await blocker('panel_api_tokens').update({ name: 'blocked' });
        const waiting = ask();
        await sleep(100);
        await server.kill();
        await waiting;
        await blocker.rollback().catch(() => undefined);
        await ask();
        answers += `${await host.create().then(inspect, inspect)}\n`;
        await server.start();
      },
      async 'a frozen server that is killed then'() {
        process.kill(server.pid!, 'SIGSTOP');
        await ask();
        answers += `${await host.create().then(inspect, inspect)}\n`;
        await server.kill();
        await ask();
        await server.start();
      },
    };

    test.each(Object.keys(faults))('survives %s and reveals nothing secret', async (name) => {
      await faults[name]!();
      const patience = performance.now() + 30_000;
      while ((await host.get('/api/v1/me.php', token)).status !== 200) {
        expect(performance.now()).toBeLessThan(patience);
        // Continuous requests would use up the token's limit.
        await sleep(200);
      }
      const revealed = answers + host.printed();
      expect(host.alive()).toBe(true);
      expect(leaks(revealed, secrets)).toEqual([]);
      // knex itself may print a lost connection, with the lost statement but without its values.
      const ours = revealed.replaceAll(/^Connection Error: .*$/gm, '');
      expect(SQL.exec(ours)?.[0]).toBeUndefined();
      expect(revealed).toContain('"error_code":"unavailable"');
    });
  });
}
