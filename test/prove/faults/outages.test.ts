import { spawnSync } from 'node:child_process';
import { Redis } from 'ioredis';
import { closeAtEnd } from '../../fixture/closeAtEnd';
import { freshDatabase, openHandle } from '../../fixture/databases';
import { faultyProxy } from '../../fixture/faults/faultyProxy';
import { handleSettings } from '../../fixture/handleSettings';
import { BLOCKED_MS, type LoggerFailure } from '../../fixture/processes/failingLogger';
import { startMariadb } from '../../servers/startMariadb';
import { startPostgresql } from '../../servers/startPostgresql';
import { startRedis } from '../../servers/startRedis';
import { figure } from '../figure';
import { isWhole } from '../scale';
import { faultyDatabase, networkOutages, processOutages } from './databaseOutages';
import { findings, type Outage, type Site } from './outage';
import { site } from './site';

const HOUR = 3600;

type Outages = Readonly<Record<string, Outage>>;

/** A panel, and what may happen to it. */
interface Subject extends Site {
  readonly outages: Outages;
}

async function onServer(engine: 'mariadb' | 'postgresql'): Promise<Subject> {
  const server = await { mariadb: startMariadb, postgresql: startPostgresql }[engine]();
  closeAtEnd(() => server.stop());
  const { direct, url, password, outages } = await faultyDatabase(server, engine);
  const place = await site(direct, {
    url,
    // Otherwise knex waits 30 s for a connection that a silent network does not open.
    pool: { createTimeoutMillis: 1000 },
    passwords: { 'password of the database': password },
  });
  const { 'is frozen': frozen } = outages;
  const jumping = clockOutage(place, frozen);
  return { ...place, outages: { ...outages, 'is frozen while the clock of the process jumps': jumping } };
}

/** The clock of the process jumps an hour ahead, then an hour back, again and again. */
function clockOutage({ host }: Site, during?: Outage): Outage {
  let jumps: NodeJS.Timeout;
  let ahead = false;
  const jump = () => {
    ahead = !ahead;
    void host.skewClock(ahead ? HOUR : -HOUR);
  };
  return {
    answer: during?.answer ?? '200',
    async begin() {
      await during?.begin();
      jumps = setInterval(jump, 200);
    },
    async end() {
      clearInterval(jumps);
      await host.skewClock(0);
      await during?.end();
    },
  };
}

async function onSqlite(): Promise<Subject> {
  const database = await freshDatabase('sqlite');
  const place = await site(database);
  const other = openHandle({ ...handleSettings(database), pool: { min: 0, max: 1 } });
  const largestFile = (bytes: string) => {
    const { status, stderr } = spawnSync('prlimit', [
      `--pid=${place.host.pid}`,
      `--fsize=${bytes}:unlimited`,
    ]);
    if (status !== 0) throw new Error(String(stderr));
  };
  const logger = (how: LoggerFailure): Outage => ({
    ...(how === 'blocks' ? { blockedMs: BLOCKED_MS } : { answer: '200' }),
    begin: () => place.host.failLogger(how),
    end: () => place.host.failLogger(null),
  });
  const outages: Outages = {
    // As on a full disk, no file can be written, not even the journal.
    'has a file that cannot be written': {
      answer: '503 unavailable',
      begin: () => largestFile('0'),
      end: () => largestFile('unlimited'),
    },
    'is locked': {
      answer: '503 unavailable',
      begin: () => other.raw('BEGIN IMMEDIATE'),
      end: () => other.raw('COMMIT'),
    },
    'has a logger that throws': logger('throws'),
    'has a logger that rejects': logger('rejects'),
    'has a logger that hangs': logger('hangs'),
    'has a logger that blocks for a second': logger('blocks'),
    'has a clock that jumps': clockOutage(place),
  };
  return { ...place, outages };
}

async function onRedis(): Promise<Subject> {
  const server = await startRedis();
  closeAtEnd(() => server.stop());
  const admin = new Redis(server.url, { retryStrategy: () => 50 }).on('error', () => undefined);
  closeAtEnd(() => admin.disconnect());
  const proxy = await faultyProxy(server.port);
  const url = Object.assign(new URL(server.url), { port: String(proxy.port) });
  const place = await site(await freshDatabase('sqlite'), {
    passwords: { 'password of Redis': url.password },
    redis: { client: 'ioredis', kind: 'server', urls: [url.href] },
  });
  const outages: Outages = {
    ...networkOutages(proxy),
    ...processOutages(server),
    'is full': {
      answer: '503 unavailable',
      begin: () => admin.config('SET', 'maxmemory', '1', 'maxmemory-policy', 'noeviction'),
      end: () => admin.config('SET', 'maxmemory', '0'),
    },
    'is a read-only replica': {
      answer: '503 unavailable',
      begin: () => admin.replicaof('127.0.0.1', 1),
      end: () => admin.replicaof('NO', 'ONE'),
    },
    'loses all its data': {
      answer: '200',
      begin: () => admin.flushall(),
      end: () => undefined,
    },
  };
  return { ...place, outages };
}

const SUBJECTS: Readonly<Record<string, () => Promise<Subject>>> = {
  MariaDB: () => onServer('mariadb'),
  PostgreSQL: () => onServer('postgresql'),
  SQLite: onSqlite,
  Redis: onRedis,
};

/** In `npm test`, one outage of one part. */
const CHOSEN = isWhole ? Object.keys(SUBJECTS) : ['SQLite'];

test.each(CHOSEN)(
  'A panel keeps all its promises while its %s fails, and two seconds later',
  async (name) => {
    const subject = await SUBJECTS[name]!();
    const entries = Object.entries(subject.outages);
    const broken: string[] = [];
    for (const [what, outage] of isWhole ? entries : entries.slice(0, 1)) {
      const found = await findings(subject, outage);
      broken.push(...found.broken.map((text) => `${what}: ${text}`));
      figure(`${name} ${what}: requests, ms until all are served again`, `${found.uses}, ${found.healedMs}`);
    }
    expect(broken).toEqual([]);
  },
);
