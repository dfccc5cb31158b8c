import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Cancellation } from '../../lib/async/Cancellation';
import { gauge } from '../../metrics/exposition';
import { SharedReadings, type WantedReading } from '../../metrics/SharedReadings';
import { freshDatabase } from '../fixture/databases';
import '../fixture/tryAgain';
import { type MetricsPanel, some, startMetricsPanel } from '../fixture/metricsPanel';
import { createFilledTables } from '../fixture/panelTables';

const SECRET = 'secret-51c0';
const ACCOUNTS = Array.from({ length: 20 }, (_, index) => 100 + index);

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

describe('The readings of the metrics', () => {
  const panelWith = async (rows: () => unknown, deadlineMs: number): Promise<MetricsPanel> => {
    const { knex } = await freshDatabase('sqlite');
    await createFilledTables(knex);
    const pending = { status: 'pending', created_at: '2026-06-12 00:00:00' };
    for (const id of ACCOUNTS) await knex('accounts').insert({ ...pending, id, username: `user${id}` });
    await knex.schema.dropTable('databases');
    const fields = ['id', 'type', 'status'] as const;
    // biome-ignore lint/suspicious/noExplicitAny: a function of a panel that returns anything.
    return startMetricsPanel({ db: knex, deadlineMs, sources: { jobs: { fields, rows: rows as any } } });
  };

  test('show all other lists while one hangs, and leave that one alone for a while', async () => {
    let calls = 0;
    const hang = () => {
      calls += 1;
      return new Promise(() => undefined);
    };
    const scraped = await panelWith(hang, 1500);
    const token = await scraped.panel.token();
    const first = await scraped.samples(token);
    const startedAt = performance.now();
    const second = await scraped.samples(token);
    expect(performance.now() - startedAt).toBeLessThan(1000);
    expect(calls).toBe(1);
    for (const samples of [first, second]) {
      const up = some(samples, 'panel_source_up');
      expect([samples['panel_source_up{list="jobs"}'], Object.keys(up).length]).toEqual([0, 13]);
      expect(Object.keys(some(samples, 'panel_job'))).toEqual([]);
      expect(samples['panel_accounts{status="active"}']).toBe(1);
    }
    expect(second['panel_source_age_seconds{list="jobs"}']).toBeGreaterThan(1);
    expect(second['panel_source_duration_seconds{list="jobs"}']).toBeGreaterThan(1);
    const lines = scraped.panel.log.filter(({ message }) => message === 'panel-api metrics not read');
    expect(lines.map(({ fields }) => fields.list)).toEqual(['jobs']);
  });

  test('fail one by one, say so in the log without the text of the error, and come back', async () => {
    let rows = (): unknown => {
      throw new Error(SECRET);
    };
    const scraped = await panelWith(() => rows(), 5000);
    const token = await scraped.panel.token();
    const { status, sent } = await scraped.ask(token);
    expect([status, sent.includes('panel_source_up{list="jobs"} 0')]).toEqual([200, true]);
    const { log } = scraped.panel;
    const line = log.find(({ message }) => message === 'panel-api metrics not read');
    expect(line).toMatchObject({ level: 'warn', fields: { list: 'jobs', cause: 'Error' } });
    // A table that is missing is in the log once, whoever asks.
    expect(sent).toContain('panel_source_up{list="databases"} 0');
    expect(log.filter(({ fields }) => fields.resource === 'databases')).toHaveLength(1);
    expect(JSON.stringify(log) + sent).not.toContain(SECRET);
    rows = () => [{ id: 1, type: 'deploy', status: 'failed' }];
    expect((await scraped.samples(token))['panel_jobs{status="failed"}']).toBe(1);
  });

  test('are shared by scrapes that arrive together, whatever their tokens', async () => {
    let calls = 0;
    const scraped = await panelWith(async () => {
      calls += 1;
      await new Promise((resolve) => setTimeout(resolve, 200));
      return [];
    }, 5000);
    const tokens = await Promise.all(
      [{}, {}, { scopes: ['jobs.read'] }].map((one) => scraped.panel.token(one)),
    );
    await Promise.all(tokens.map((token) => scraped.samples(token)));
    expect(calls).toBe(1);
  });

  test('leave the memory where it was', async () => {
    const scraped = await panelWith(() => [], 5000);
    const scopes = ['jobs.read', 'domains.read'];
    const tokens = await Promise.all(ACCOUNTS.map((accountId) => scraped.panel.token({ scopes, accountId })));
    const used = async () => {
      for (const token of tokens) await scraped.ask(token);
      await new Promise((resolve) => setTimeout(resolve, 20));
      collect();
      return process.memoryUsage().heapUsed;
    };
    await used();
    const before = await used();
    let after = 0;
    for (let round = 0; round < 5; round += 1) after = await used();
    expect((after - before) / 2 ** 20).toBeLessThan(1);
  });
});

/** A reading that a token asks for, and that waits for no place. */
function asked(read: WantedReading['read'], more: Partial<WantedReading> = {}): WantedReading {
  return { tokenId: 1, isKept: true, enter: (task) => task(unusedSlot), read, ...more };
}

const unusedSlot = {
  run: () => Promise.reject(new Error('No statement is expected.')),
  end: new Cancellation(),
};

test('Readings that are too old are forgotten, however many accounts were read', async () => {
  const shared = new SharedReadings(0, 1000);
  const samples = () => Array.from({ length: 5000 }, (_, value) => ({ value, labels: {} }));
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let account = 0; account < 200; account += 1) {
    shared.sweep();
    await shared.ask(
      String(account),
      asked(async () => [gauge('domains', 'Domains.', samples())]),
    );
  }
  collect();
  expect((process.memoryUsage().heapUsed - before) / 2 ** 20).toBeLessThan(5);
});

describe('A reading', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  /** A reading that waits for its place, takes a while, and then returns or fails. */
  const reading = (waits: number, takes: number, fails = false, maxAgeMs = 15_000) => {
    const shared = new SharedReadings(maxAgeMs, 60_000);
    let calls = 0;
    const read = async () => {
      calls += 1;
      await pause(takes);
      if (fails) throw new Error('The list cannot be read.');
      return [];
    };
    const enter: WantedReading['enter'] = async (task) => {
      await pause(waits);
      return task(unusedSlot);
    };
    /** How often it was read, if a token, by default always the same one, asks for it at each of these seconds. */
    return async (seconds: readonly number[], tokenOf: (index: number) => number = () => 1) => {
      let now = 0;
      for (const [index, second] of seconds.entries()) {
        await jest.advanceTimersByTimeAsync((second - now) * 1000);
        now = second;
        shared.sweep();
        void shared.ask('jobs', asked(read, { enter, tokenId: tokenOf(index) }));
      }
      await jest.advanceTimersByTimeAsync(10_000);
      return calls;
    };
  };

  test('is shown for as long as the option says', async () => {
    expect(await reading(0, 100)([0, 5, 14, 16, 30, 32])).toBe(3);
  });

  test('that took over a second is repeated only after sixty times as long', async () => {
    expect(await reading(0, 2000)([0, 1, 16, 60, 121, 123])).toBe(2);
  });

  test('that had to wait for its place is not taken for slow', async () => {
    expect(await reading(5000, 100)([0, 21])).toBe(2);
  });

  test('that failed at once is repeated when another would be', async () => {
    expect(await reading(0, 100, true)([0, 5, 14, 16, 30, 32])).toBe(3);
  });

  test('that failed late is repeated a minute later', async () => {
    expect(await reading(0, 5000, true)([0, 6, 30, 64, 66, 90])).toBe(2);
  });

  test('that failed is repeated a minute later, however long others are shown', async () => {
    expect(await reading(0, 100, true, 3_600_000)([0, 1, 59, 61, 90])).toBe(2);
  });

  test('that never ends is given up, and repeated a minute later', async () => {
    expect(await reading(0, 1e9)([0, 30, 61, 119, 121])).toBe(2);
  });

  test('that failed for one token is repeated for another', async () => {
    expect(await reading(0, 100, true)([0, 1, 2, 3], (index) => index % 2)).toBe(2);
  });

  const gauges = [gauge('jobs', 'Jobs.', [{ value: 1 }])];

  test('fails only for the token that began it, and others that wait read for themselves', async () => {
    const shared = new SharedReadings(15_000, 60_000);
    let fail: (error: Error) => void = () => undefined;
    const failing = jest.fn(() => new Promise<never>((_, reject) => (fail = reject)));
    const own = jest.fn(async () => gauges);
    const first = [1, 1].map((tokenId) => shared.ask('jobs', asked(failing, { tokenId })));
    await jest.advanceTimersByTimeAsync(1);
    const later = [1, 2, 3].map((tokenId) => shared.ask('jobs', asked(own, { tokenId })));
    await jest.advanceTimersByTimeAsync(1);
    fail(new Error('The list cannot be read.'));
    await jest.advanceTimersByTimeAsync(1);
    const shown = (await Promise.all([...first, ...later])).map((outcome) => outcome?.families);
    // The others of its token wait for its end, and find what another token has read by then.
    expect(shown).toEqual([null, gauges, gauges, gauges, gauges]);
    expect([failing.mock.calls.length, own.mock.calls.length]).toEqual([1, 1]);
  });

  test('is shared with tokens whose own place is not free', async () => {
    const shared = new SharedReadings(15_000, 60_000);
    const never: WantedReading['enter'] = () => new Promise(() => undefined);
    const read = jest.fn(async () => gauges);
    const waiting = shared.ask('jobs', asked(read, { tokenId: 1, enter: never }));
    await jest.advanceTimersByTimeAsync(1);
    const reading = shared.ask('jobs', asked(read, { tokenId: 2 }));
    await jest.advanceTimersByTimeAsync(1);
    expect((await reading)?.families).toBe(gauges);
    expect(await waiting).toBe(await reading);
    expect(read).toHaveBeenCalledTimes(1);
  });

  test('that is not kept begins after all requests that it answers', async () => {
    const shared = new SharedReadings(15_000, 60_000);
    const read = jest.fn(() => pause(1000).then(() => gauges));
    const ask = () => shared.ask('jobs', asked(read, { isKept: false }));
    const [first, second] = [ask(), ask()];
    await jest.advanceTimersByTimeAsync(500);
    const late = ask();
    await jest.advanceTimersByTimeAsync(2000);
    expect(read).toHaveBeenCalledTimes(2);
    expect(await late).toBe(await second);
    expect(await late).not.toBe(await first);
  });
});

test.each([
  ['the account', ['1']],
  ['the same accounts', ['1', '2']],
])(
  'A reading during which an account came to a token of an owner is not shown to a token of %s',
  async (_name, accountIds) => {
    const { knex } = await freshDatabase('sqlite');
    await createFilledTables(knex);
    const account = { status: 'active', created_at: '2026-06-12 00:00:00' };
    await knex('accounts').insert([
      { ...account, id: 2, username: 'bert' },
      { ...account, id: 3, username: 'carl' },
    ]);
    await knex('accounts').whereIn('id', accountIds).whereNot({ id: 1 }).update({ owner_id: 1 });
    const fields = ['id', 'type', 'status', 'account_id'] as const;
    const rows = async () => {
      await knex('accounts').where({ id: 3 }).update({ owner_id: 1 });
      return [1, 2, 3].map((id) => ({ id, type: 'deploy', status: 'failed', account_id: id }));
    };
    const { panel, samples } = await startMetricsPanel(
      { db: knex, sources: { jobs: { fields, rows } } },
      { maxAgeSeconds: 3600 },
    );
    const scopes = ['jobs.read'];
    const owner = await panel.token({ scopes, accountId: '1', owner: true });
    const other = await panel.token({ scopes, accountIds });
    const failed = async (token: string) => some(await samples(token), 'panel_jobs');
    expect(await failed(owner)).toEqual({ 'panel_jobs{status="failed"}': accountIds.length + 1 });
    expect(await failed(other)).toEqual({ 'panel_jobs{status="failed"}': accountIds.length });
  },
);
