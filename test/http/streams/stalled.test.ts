import { setTimeout as sleep } from 'node:timers/promises';
import { describeOneEngine } from '../../fixture/databases';
import { expectIdle } from '../../fixture/expectIdle';
import { type LongPanel, ME, startLongPanel } from '../../fixture/streams/longPanel';
import { LONG } from '../../fixture/streams/longTable';
import type { OpenList } from '../../fixture/streams/openList';
import { isWhole } from '../../prove/scale';
import '../../fixture/tryAgain';

const DEADLINE_MS = isWhole ? 2000 : 1500;
const SIP = 2_000_000;

describeOneEngine('A client of a long list', (engine) => {
  let long: LongPanel;
  let statements: number;
  let lines: number;

  beforeAll(async () => {
    long = await startLongPanel(engine, { options: { deadlineMs: DEADLINE_MS } });
    long.database.knex.on('query', ({ sql }: { sql: string }) => {
      if (/\bc0\b/.test(sql)) statements += 1;
    });
  });

  beforeEach(async () => {
    statements = 0;
    lines = (await long.panel.requestLines(0)).length;
  });

  afterEach(async () => {
    await expectIdle(long.database);
    expect(long.errors).toEqual([]);
  });

  const line = async () => {
    // A client that stops reading is given several times as long as the database.
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const [written, ...others] = (await long.panel.requestLines(lines + 1)).slice(lines);
      expect(others).toEqual([]);
      if (written) return written;
    }
    throw new Error('No line was written.');
  };

  test('that stops reading is cut off, and little was read for it meanwhile', async () => {
    const list = await long.open();
    list.response.socket.pause();
    const { level, fields } = await line();
    expect([level, fields.status, fields.error_code, fields.aborted]).toEqual(['info', 200, null, true]);
    expect(fields.cause).toBe('ClientStalled');
    expect(statements).toBeLessThan(LONG / 1000);
    expect(fields.milliseconds).toBeGreaterThan(DEADLINE_MS);
    expect((await list.rest()).whole).toBe(false);
  });

  test('that takes a little now and then is served to the end', async () => {
    const list = await long.open();
    let text = '';
    for (let sip = 1; sip <= 4; sip += 1) {
      await sleep(DEADLINE_MS / 2);
      while (text.length < sip * SIP) text += await list.some();
    }
    const { text: rest, whole } = await list.rest();
    expect([whole, JSON.parse(text + rest).data.items.length]).toEqual([true, LONG]);
    expect((await line()).fields.milliseconds).toBeGreaterThan(DEADLINE_MS);
  });

  test.each<[string, (list: OpenList) => unknown]>([
    ['goes away', (list) => list.leave()],
    ['resets its connection', (list) => list.response.socket.resetAndDestroy()],
  ])('that %s half-way leaves at once, with one line in the log', async (_how, leave) => {
    const list = await long.open();
    await list.some();
    leave(list);
    const { level, fields } = await line();
    expect([level, fields.status, fields.error_code, fields.aborted]).toEqual(['info', 200, null, true]);
    // A client that stops reading is cut off after twice as long.
    expect(fields.milliseconds).toBeLessThan(3 * DEADLINE_MS);
    expect(await long.ask(ME)).toEqual([200, null]);
  });
});
