import http from 'node:http';
import { Writable } from 'node:stream';
import { createLogger, transports } from 'winston';
import type { Logger, Sources } from '../../../index';
import { freshDatabase, type TestDatabase } from '../../fixture/databases';
import { livedMs } from '../../fixture/livedMs';
import { startPanel } from '../../fixture/panel';
import { recordingLogger } from '../../fixture/recordingLogger';
import { until } from '../../fixture/until';

const ME = '/api/v1/me.php';
const DEADLINE_MS = 300;

type Enabled = () => boolean | Promise<boolean>;

const SECRET = 'secret-5d1f';

const never = new Promise<never>(() => undefined);

const throwing = (thrown: unknown) => () => {
  throw thrown;
};

describe('A panel whose own functions fail', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await freshDatabase('sqlite');
  });

  const mount = (options: { enabled?: Enabled; logger?: Logger; sources?: Sources }) =>
    startPanel({ db: database.knex, deadlineMs: DEADLINE_MS, ...options });

  const unreadable = new Error(SECRET);
  Object.defineProperty(unreadable, 'name', { get: throwing(new Error(SECRET)) });

  const failures: Readonly<Record<string, Enabled>> = {
    'throws an error': throwing(new Error(SECRET)),
    'throws null': throwing(null),
    'throws undefined': throwing(undefined),
    'throws a text': throwing(SECRET),
    'throws an error that Koa would show': throwing(Object.assign(new Error(SECRET), { expose: true })),
    'throws an error with a status': throwing(Object.assign(new Error(SECRET), { status: 200 })),
    'throws an error whose name is no text': throwing(Object.assign(new Error(SECRET), { name: 7 })),
    'throws an error whose message is no text': throwing(Object.assign(new Error(SECRET), { message: 7 })),
    'throws an error whose stack is no text': throwing(Object.assign(new Error(SECRET), { stack: 7 })),
    'throws an error that cannot be read': throwing(unreadable),
    rejects: () => Promise.reject(new Error(SECRET)),
    'never settles': () => never,
  };

  test('receives an aborted signal when a check no longer waits for its rows', async () => {
    const signals: AbortSignal[] = [];
    const rows = ({ signal }: { signal: AbortSignal }) => {
      signals.push(signal);
      return never;
    };
    const part = { rows, fields: ['id', 'type', 'status'], uniqueIds: true } as const;
    const settings = { rows, fields: ['key', 'value'], keys: ['language'] } as const;
    const panel = await mount({ sources: { jobs: [part, part], settings } });
    expect((await panel.get('/api/v1/health.php', await panel.token())).status).toBe(200);
    const waiting = () => signals.filter(({ aborted }) => !aborted).length;
    await until(() => waiting() === 0);
    expect(signals.length).toBeGreaterThanOrEqual(2);
  });

  test.each(Object.keys(failures))('answers 503 within the deadline if enabled %s', async (name) => {
    const panel = await mount({ enabled: failures[name]! });
    const [{ status, body, text }, lived] = await livedMs(() => panel.get(ME));
    expect([status, body.error.code]).toEqual([503, 'unavailable']);
    expect(lived).toBeLessThan(DEADLINE_MS + 500);
    const lines = await panel.requestLines(1);
    expect(lines.map(({ fields }) => [fields.status, fields.error_code])).toEqual([[503, 'unavailable']]);
    expect(text + JSON.stringify(lines)).not.toContain(SECRET);
  });

  test.each([undefined, null, {}, [], 'perhaps'])('is off if enabled returns %j', async (given) => {
    const panel = await mount({ enabled: () => given as unknown as boolean });
    const { status, body } = await panel.get(ME);
    expect([status, body.error.code]).toEqual([503, 'api_disabled']);
  });

  test.each<[string, () => unknown]>([
    ['throws', throwing(new Error('full'))],
    ['rejects', () => Promise.reject(new Error('full'))],
    ['never settles', () => never],
  ])('answers as usual if its logger %s', async (_what, write) => {
    const panel = await mount({ logger: { info: write, warn: write, error: write } });
    const token = await panel.token();
    expect((await panel.get(ME, token)).status).toBe(200);
    expect((await panel.get(ME)).status).toBe(401);
    // Its table does not exist, so the module logs a warning.
    expect((await panel.get('/api/v1/domains.php', token)).status).toBe(501);
    expect((await panel.get(ME, token)).status).toBe(200);
  });

  test('counts the lines that could not be written', async () => {
    const { logger } = recordingLogger();
    let full = true;
    const info = (message: string, fields: object) => {
      if (full) throw new Error('full');
      return logger.info(message, fields);
    };
    const panel = await mount({ logger: { ...logger, info } });
    const token = await panel.token();
    await panel.get(ME, token);
    await panel.get(ME, token);
    full = false;
    const { checks } = (await panel.get('/api/v1/health.php', token)).body.data;
    expect(checks.find(({ name }: { name: string }) => name === 'log')).toMatchObject({
      status: 'warn',
      detail: '4 log lines could not be written since the process started.',
    });
  });

  test('gives no more lines to a logger of winston that keeps ten thousand in memory', async () => {
    // It never says that it has written a line.
    const stuck = Object.assign(new transports.Console(), { log: () => undefined });
    const logger = createLogger({ transports: [stuck] });
    while (logger.writableLength < 9_999) logger.info('waiting');
    const panel = await mount({ logger });
    const token = await panel.token();
    await panel.get(ME, token);
    await until(() => logger.writableLength === 10_000);
    await panel.get(ME, token);
    const { checks } = (await panel.get('/api/v1/health.php', token)).body.data;
    expect(checks.find(({ name }: { name: string }) => name === 'log')).toMatchObject({
      detail: '3 log lines could not be written since the process started.',
    });
    expect(logger.writableLength).toBe(10_000);
  });

  test('gives all lines to a logger that is a stream of bytes', async () => {
    const { logger, log } = recordingLogger();
    const stream = new Writable({ write: () => undefined });
    stream.write('x'.repeat(20_000));
    const panel = await mount({ logger: Object.assign(stream, logger) });
    await panel.get(ME);
    // The line of the start and that of the request.
    await until(() => log.length === 2);
  });

  test('logs a client that disconnected once, as aborted', async () => {
    let release: ((on: boolean) => void) | undefined;
    const panel = await mount({
      enabled: () =>
        new Promise((resolve) => {
          release = resolve;
        }),
    });
    const request = http.get(`${panel.url}${ME}`);
    request.on('error', () => undefined);
    await until(() => release !== undefined);
    request.destroy();
    const [line] = await panel.requestLines(1);
    release?.(true);
    await new Promise((resolve) => setTimeout(resolve, DEADLINE_MS + 50));
    expect(line?.fields).toMatchObject({ aborted: true, bytes: 0, route: ME });
    expect(await panel.requestLines(1)).toHaveLength(1);
  });
});
