import { setTimeout as sleep } from 'node:timers/promises';
import { freshDatabase } from '../../fixture/databases';
import { openThroughSilentProxy } from '../../fixture/faults/silentProxy';
import { livedMs } from '../../fixture/livedMs';
import { startPanel } from '../../fixture/panel';

const ME = '/api/v1/me.php';
const DEADLINE_MS = 1000;
const OUTAGE_MS = 2500;

test.each([
  ['mariadb', 'connectTimeout'],
  ['postgresql', 'connectionTimeoutMillis'],
] as const)(
  'After a network to %s that swallowed all packets, a panel whose driver gives up connecting soon answers within two seconds',
  async (engine, option) => {
    const database = await freshDatabase(engine);
    const url = `${database.url}?${option}=1000`;
    const { proxy, knex } = await openThroughSilentProxy({ engine, url }, { min: 0, max: 10 });
    // The tables are created without a deadline that a busy machine may miss.
    const token = await (await startPanel({ db: database.knex })).token();
    const panel = await startPanel({ db: knex, deadlineMs: DEADLINE_MS });
    const ask = async () => (await panel.get(ME, token)).status;
    // The first request opens the connections, which may take longer than the deadline on a busy machine.
    await ask();
    expect(await ask()).toBe(200);
    proxy.swallow();
    const answers: Promise<number>[] = [];
    for (let passed = 0; passed < OUTAGE_MS; passed += 100) {
      answers.push(ask());
      await sleep(100);
    }
    proxy.recover();
    const [, lived] = await livedMs(async () => {
      while ((await ask()) !== 200) await sleep(20);
    });
    expect(lived).toBeLessThan(2000);
    for (const status of await Promise.all(answers)) expect([200, 503]).toContain(status);
  },
);
