import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import type { CreatedToken } from '../../../index';
import { HOUR } from '../../fixture/awayFromHourEnd';
import { engines, freshDatabase } from '../../fixture/databases';
import { type HostProcess, startHost } from '../../fixture/processes/hostProcess';
import { serverUrl } from '../../servers/serverUrl';
import { figure } from '../figure';
import { printSeed, seed } from '../input/seed';
import { isWhole, scaled } from '../scale';
import { type Answered, TokenWindows } from './TokenWindows';

const REDIS = isWhole ? (['ioredis', 'node-redis'] as const) : (['ioredis'] as const);
const STORES = [...engines, ...REDIS, ...(isWhole ? (['memory'] as const) : [])];
const MOST_PROCESSES = isWhole ? 8 : 2;
const CLIENTS = 8;

/** What is sent with each token while nothing but a clock changes. In its middle, that of a process jumps and returns. */
interface Phase {
  readonly load: 'burst' | 'trickle' | 'steady';
  readonly limit: number;
  /** How many tokens have requests. */
  readonly tokens: number;
  /** How many requests of a burst are sent beyond the limit. */
  readonly beyond: number;
  readonly windowSeconds: number;
  readonly jump: number | null;
}

/** By its own clock, a process would begin a window of its own again and again. */
const skew = fc.constantFrom(HOUR + 61, 0, 61, -61, -HOUR - 61, HOUR + 61);
const phase = (load: fc.Arbitrary<Phase['load']>, windowSeconds: fc.Arbitrary<number>) =>
  fc.record({
    load,
    limit: fc.constantFrom(1, 2, 40, 120),
    tokens: fc.constantFrom(5, 1),
    beyond: fc.integer({ min: -20, max: 60 }),
    windowSeconds,
    jump: fc.option(skew),
  });
const DAY = 24 * HOUR;
/** The lengths of the window in each life of bursts: all become longer and shorter again. */
const LENGTHS = [
  [HOUR, DAY, HOUR, HOUR],
  [DAY, HOUR, DAY, HOUR],
  [HOUR, HOUR, DAY, HOUR],
];
const bursts = LENGTHS.map((lengths) =>
  fc.tuple(...lengths.map((length) => phase(fc.constantFrom('burst', 'trickle'), fc.constant(length)))),
);
const steady = phase(fc.constant('steady'), fc.constantFrom(...(isWhole ? [1, 2, 3] : [1])));

const life = (phases: fc.Arbitrary<readonly Phase[]>) =>
  fc.record({
    phases,
    processes: fc.constantFrom(1, 2, 4, 8),
    /** Whether each token has a limit of its own, which no other has, instead of that of the settings. */
    own: fc.boolean(),
    skews: fc.array(skew, { minLength: MOST_PROCESSES, maxLength: MOST_PROCESSES }),
  });
type Life = ReturnType<typeof life> extends fc.Arbitrary<infer T> ? T : never;

const hour = { limit: 40, beyond: 20, windowSeconds: HOUR };
/**
 * The first life on each store. A process whose clock is behind begins the window of a token, then its clock jumps while
 * it counts for several tokens at once.
 */
const FIRST: Life = {
  phases: [
    { ...hour, load: 'trickle', tokens: 1, jump: null },
    { ...hour, load: 'burst', tokens: 5, jump: HOUR + 61 },
  ],
  processes: 2,
  own: false,
  // The second process has the first request.
  skews: Array.from({ length: MOST_PROCESSES }, (_, index) => (index === 1 ? -HOUR - 61 : 0)),
};

describe.each(STORES)('A limit that is counted in %s', (store) => {
  let all: readonly HostProcess[];
  /** How far a clock was ahead that SQLite follows. */
  let farthest = 0;
  const counts = { lives: 0, requests: 0, late: 0 };

  beforeAll(async () => {
    const engine = engines.find((name) => name === store);
    const database = await freshDatabase(engine ?? 'sqlite');
    const client = REDIS.find((name) => name === store);
    const given = {
      options: {
        // All tests share Redis.
        tablePrefix: `p${randomBytes(6).toString('hex')}_`,
        ...(store === 'memory' && { rateLimit: { store } }),
      },
      redis: client && ({ client, kind: 'server', urls: [await serverUrl('redis')] } as const),
      // SQLite reads the clock of the process that counts.
      env: engine === 'sqlite' ? { SQLITE_CLOCK: 'of the process' } : {},
    };
    const length = store === 'memory' ? 1 : MOST_PROCESSES;
    all = await Promise.all(Array.from({ length }, () => startHost(database, given)));
    printSeed();
  });

  // The idle connections to them are thousands, and a process may have only so many.
  afterAll(async () => {
    await Promise.all(all.map((host) => host.stop()));
    const { lives, requests, late } = counts;
    figure(
      `${store}: lives of tokens, requests that were counted exactly, and late counts`,
      `${lives}, ${requests}, ${late}`,
    );
  });

  async function ask(host: HostProcess, token: string): Promise<Answered> {
    const { status, headers } = await host.get('/api/v1/me.php', token);
    const limit = Number(/;q=(\d+);/.exec(headers.get('ratelimit-policy') ?? '')?.[1]);
    counts.requests += 1;
    if (status === 503) counts.late += 1;
    return { status, hit: limit - Number(/;r=(\d+);/.exec(headers.get('ratelimit') ?? '')?.[1]) };
  }

  /** Sends the requests of a phase to the processes in turn. Returns the answers to each token. */
  async function send(
    { load, limit, beyond, windowSeconds }: Phase,
    hosts: readonly HostProcess[],
    tokens: readonly string[],
    jump: (isBack: boolean) => Promise<void>,
  ) {
    const sent = tokens.map((): Promise<Answered>[] => []);
    let next = 0;
    const one = () => {
      next += 1;
      const index = Math.floor(next / hosts.length) % tokens.length;
      const answer = ask(hosts[next % hosts.length]!, tokens[index]!);
      sent[index]!.push(answer);
      return answer;
    };
    const half = {
      burst: async () => {
        for (let left = (tokens.length * Math.max(2, limit + beyond)) / 2; left > 0; left -= 1) void one();
      },
      trickle: async () => {
        for (let left = 4 * tokens.length; left > 0; left -= 1) await one();
      },
      steady: async () => {
        const endMs = performance.now() + 1000 * (windowSeconds + 1);
        const client = async () => {
          while (performance.now() < endMs) await one();
        };
        await Promise.all(Array.from({ length: CLIENTS }, client));
      },
    }[load];
    await half();
    await jump(false);
    await half();
    await jump(true);
    return Promise.all(sent.map((answers) => Promise.all(answers)));
  }

  async function live({ processes, own, skews: given, phases }: Life) {
    const hosts = all.slice(0, processes);
    const [first, last] = [hosts[0]!, hosts.at(-1)!];
    // The windows of memory are those of its process. On SQLite, a short window may last longer after a jump.
    const isStill = store === 'memory' || (store === 'sqlite' && phases[0]?.load === 'steady');
    const skews = hosts.map((_, index) => (isStill ? 0 : given[index]!));
    await Promise.all(hosts.map((host, index) => host.skewClock(skews[index]!)));
    const request = own ? { rateLimit: 1 } : {};
    const made = await Promise.all(Array.from({ length: 5 }, () => first.create(request)));
    const windows = made.map(() => new TokenWindows(!engines.some((engine) => engine === store)));
    counts.lives += 1;
    for (const one of phases) {
      const { limit, windowSeconds, load, jump } = isStill ? { ...one, jump: null } : one;
      await first.changeSettings({
        rateLimitWindowSeconds: windowSeconds,
        rateLimitRequests: own ? 7 : limit,
      });
      const created = made.slice(0, one.tokens);
      const limits = created.map((_, index) => limit + (own ? index : 0));
      const change = ({ record }: CreatedToken, index: number) =>
        first.update(record.id, { rateLimit: limits[index]! });
      if (own) await Promise.all(created.map(change));
      const from = Date.now() / 1000;
      const tokens = created.map(({ token }) => token);
      const answered = await send(one, hosts, tokens, async (isBack) => {
        if (jump !== null) await last.skewClock(isBack ? skews.at(-1)! : jump);
      });
      const between = [from, Date.now() / 1000] as const;
      const clocks = store === 'sqlite' ? [farthest, ...skews, jump ?? 0] : [0];
      farthest = Math.max(...clocks);
      const sent = { windowSeconds, between, ahead: [Math.min(...clocks), farthest] as const };
      const faults = answered.map((answers, index) =>
        windows[index]!.fault({ ...sent, limit: limits[index]!, answers }),
      );
      expect(faults).toEqual(faults.map(() => null));
      if (load !== 'steady') continue;
      for (const [index, answers] of answered.entries()) {
        expect(windows[index]!.begun).toBeGreaterThanOrEqual(2);
        const has = (wanted: number) =>
          answers.some(({ status, hit }) => status === wanted && hit === limits[index]);
        expect(has(200) || !has(429)).toBe(true);
      }
    }
  }

  // It is the first, because SQLite follows the clock that was farthest ahead. A steady load takes seconds.
  if (isWhole || store === 'ioredis')
    test('is served once in each window while its ends pass', async () => {
      const lives = fc.noShrink(life(fc.tuple(steady)));
      await fc.assert(fc.asyncProperty(lives, live), { seed, numRuns: scaled({ fast: 1, full: 3 }) });
    });

  test('is served exactly', async () => {
    const lives = life(fc.oneof(...bursts));
    const numRuns = 1 + scaled({ fast: 2, full: 36 });
    await fc.assert(fc.asyncProperty(lives, live), { seed, numRuns, examples: [[FIRST]] });
  });
});
