import { once } from 'node:events';
import http2, { type ClientHttp2Session, type Http2Server } from 'node:http2';
import net, { type AddressInfo, type Socket } from 'node:net';
import Koa from 'koa';
import { createPanelApi } from '../../../index';
import { freshDatabase, type TestDatabase } from '../../fixture/databases';
import { expectIdle } from '../../fixture/expectIdle';
import { AUTHOR } from '../../fixture/panel';
import { type LogLine, recordingLogger } from '../../fixture/recordingLogger';
import { DOMAINS } from '../../fixture/streams/longPanel';
import { createLongTable, idsFrom, LONG, rowOf } from '../../fixture/streams/longTable';
import '../../fixture/tryAgain';
import { until } from '../../fixture/until';

const DEADLINE_MS = 1500;
// A client that reads nothing is cut off after twice as long.
const AT_ONCE_MS = 3 * DEADLINE_MS;
// More than a buffered answer contains, in few rows.
const ROWS = 3000;
const LONG_STATUS = 'x'.repeat(1000);
const BACKUPS = '/api/v1/backups.php';

/** Good rows, and then a fault. */
function* broken() {
  for (const id of idsFrom(1, ROWS)) yield { ...rowOf(id), status: LONG_STATUS };
  throw new Error('No more.');
}

describe('Over HTTP/2 a long list', () => {
  let database: TestDatabase;
  let server: Http2Server;
  let client: ClientHttp2Session;
  let log: LogLine[];
  let token: string;
  const errors: unknown[] = [];
  /** Lets a test disconnect the client. Returns whether it did. */
  let leave = (_place: 'panel' | 'module'): boolean => false;

  beforeAll(async () => {
    database = await freshDatabase('mariadb');
    await createLongTable(database.knex, LONG);
    const recording = recordingLogger();
    log = recording.log;
    const api = createPanelApi({
      db: database.knex,
      enabled: async () => {
        leave('module');
        return true;
      },
      logger: recording.logger,
      deadlineMs: DEADLINE_MS,
      sources: { backups: { rows: broken as never, fields: ['id', 'status'], ids: 'integer' } },
    });
    const app = new Koa();
    app.on('error', (error) => errors.push(error));
    app.use(async (ctx, next) => {
      const gone = once(ctx.res, 'close');
      if (leave('panel')) await gone;
      await next();
    });
    app.use(api.routes());
    server = http2.createServer(app.callback()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = connect();
    ({ token } = await api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR));
  });

  beforeEach(() => {
    log.length = 0;
  });

  afterEach(async () => {
    await expectIdle(database);
    expect(errors).toEqual([]);
  });

  afterAll(async () => {
    client.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  // A session does not expose its socket.
  const sockets = new Map<ClientHttp2Session, Socket>();

  function connect(): ClientHttp2Session {
    const { port } = server.address() as AddressInfo;
    const socket = net.connect(port, '127.0.0.1');
    const session = http2.connect(`http://127.0.0.1:${port}`, { createConnection: () => socket });
    sockets.set(session, socket);
    return session;
  }

  async function open(path: string, method = 'GET', session = client) {
    const stream = session.request({ ':path': path, ':method': method, authorization: `Bearer ${token}` });
    stream.on('error', () => undefined);
    const [headers] = await once(stream, 'response');
    return { stream, headers };
  }

  async function read(path: string, method = 'GET') {
    const { stream, headers } = await open(path, method);
    let text = '';
    stream.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    await new Promise((resolve) => stream.once('close', resolve));
    return { headers, text, code: stream.rstCode };
  }

  async function line(): Promise<LogLine> {
    await until(() => log.length > 0);
    expect(log).toHaveLength(1);
    return log[0]!;
  }

  test('is whole', async () => {
    const { headers, text, code } = await read(DOMAINS);
    expect([headers[':status'], headers.etag, code]).toEqual([
      200,
      undefined,
      http2.constants.NGHTTP2_NO_ERROR,
    ]);
    expect(JSON.parse(text).data.items.map(({ id }: { id: number }) => id)).toEqual(idsFrom(1, LONG));
    const { level, fields } = await line();
    expect([level, fields.status, fields.bytes]).toEqual(['info', 200, Buffer.byteLength(text)]);
    expect(fields).not.toHaveProperty('aborted');
  });

  test('has a head without a body', async () => {
    const { headers, text } = await read(DOMAINS, 'HEAD');
    expect([headers[':status'], text]).toEqual([200, '']);
  });

  test('that fails half-way ends with a stream error', async () => {
    const { headers, text, code } = await read(BACKUPS);
    expect([headers[':status'], code]).toEqual([200, http2.constants.NGHTTP2_INTERNAL_ERROR]);
    expect(() => JSON.parse(text)).toThrow();
    const { level, fields } = await line();
    expect([level, fields.status, fields.error_code, fields.aborted]).toEqual([
      'error',
      200,
      'internal_error',
      true,
    ]);
  });

  test('whose client disconnects is read no further', async () => {
    const { stream } = await open(DOMAINS);
    const startedAt = performance.now();
    stream.close(http2.constants.NGHTTP2_CANCEL);
    const { level, fields } = await line();
    expect([level, fields.status, fields.error_code, fields.aborted]).toEqual(['info', 200, null, true]);
    await expectIdle(database);
    expect(performance.now() - startedAt).toBeLessThan(AT_ONCE_MS);
  });

  test.each<[string, (session: ClientHttp2Session) => unknown]>([
    ['ends the whole session', (session) => session.destroy()],
    ['resets its connection', (session) => sockets.get(session)?.resetAndDestroy()],
  ])('whose client %s is read no further, and is no error of the panel', async (_how, leave) => {
    const session = connect();
    session.on('error', () => undefined);
    await open(DOMAINS, 'GET', session);
    const startedAt = performance.now();
    leave(session);
    expect((await line()).fields).toMatchObject({ status: 200, error_code: null, aborted: true });
    await expectIdle(database);
    expect(performance.now() - startedAt).toBeLessThan(AT_ONCE_MS);
  });

  test('whose client reads nothing is cut off', async () => {
    const { stream } = await open(DOMAINS);
    const startedAt = performance.now();
    await new Promise((resolve) => stream.once('close', resolve));
    expect(performance.now() - startedAt).toBeLessThan(DEADLINE_MS * 10);
    const { level, fields } = await line();
    expect([level, fields.error_code, fields.aborted]).toEqual(['info', null, true]);
  });

  test.each(['panel', 'module'] as const)(
    'whose client left while the %s had its request is logged as aborted',
    async (place) => {
      const stream = client.request({ ':path': DOMAINS, authorization: `Bearer ${token}` });
      stream.on('error', () => undefined);
      leave = (now) => {
        if (now !== place) return false;
        stream.close(http2.constants.NGHTTP2_CANCEL);
        return true;
      };
      const { level, fields } = await line();
      leave = () => false;
      expect([level, fields.route, fields.status, fields.aborted]).toEqual(['info', DOMAINS, null, true]);
    },
  );
});
