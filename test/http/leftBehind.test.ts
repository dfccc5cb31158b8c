import { once } from 'node:events';
import http2 from 'node:http2';
import { connect } from 'node:net';
import { HOUR } from '../fixture/awayFromHourEnd';
import { type BothProtocols, startBothProtocols } from '../fixture/bothProtocols';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../fixture/databases';
import { AUTHOR } from '../fixture/panel';
import { createPanelTables } from '../fixture/panelTables';
import { until } from '../fixture/until';

const DOMAINS = '/api/v1/domains.php';
const PIPELINED = 1000;
/** With them, the answers to all requests are longer than what the buffers of a connection hold (about 10 MB). */
const ROWS = 50;
const STREAMS = 200;

describeEachEngine('Requests whose connection is closed before their answers are sent', (engine) => {
  let database: TestDatabase;
  let panel: BothProtocols;
  let token: string;
  let id: number;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    await createPanelTables(database.knex);
    await database.knex('domains').insert(
      Array.from({ length: ROWS }, (_, index) => ({
        id: index + 1,
        account_id: 1,
        domain: `${'a'.repeat(200)}.${index}.example`,
      })),
    );
  });

  beforeEach(async () => {
    panel = await startBothProtocols({
      db: database.knex,
      rateLimit: { requests: 100_000, windowSeconds: HOUR },
    });
    const made = await panel.api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR);
    ({ token } = made);
    id = made.record.id;
  });

  afterEach(async () => {
    await panel.close();
    await panel.api.usage.flush();
    database.knex.removeAllListeners();
  });

  /** Closes the connection after this many bytes of the answers. */
  async function pipeline(bytes: number): Promise<void> {
    const socket = connect(panel.http1Port, '127.0.0.1');
    socket.on('error', () => undefined);
    const request = `GET ${DOMAINS} HTTP/1.1\r\nHost: panel\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    socket.write(request.repeat(PIPELINED));
    let read = 0;
    socket.on('data', (chunk) => {
      read += chunk.length;
      if (read > bytes) socket.destroy();
    });
    await once(socket, 'close');
  }

  /** Opens streams without a window for answers, and ends all of them at once. */
  async function openStreams(end: (client: http2.ClientHttp2Session) => void): Promise<void> {
    const client = http2.connect(`http://127.0.0.1:${panel.http2Port}`, {
      settings: { initialWindowSize: 0 },
    });
    client.on('error', () => undefined);
    const streams = Array.from({ length: STREAMS }, () =>
      client.request({ ':path': DOMAINS, authorization: `Bearer ${token}` }).on('error', () => undefined),
    );
    // The head of an answer needs no window.
    await Promise.race(streams.map((stream) => once(stream, 'response')));
    end(client);
    if (!client.closed) await once(client, 'close');
    await until(() => panel.sessions.size === 0);
  }

  /** The lines of all requests that reached the module, after they have ended. */
  async function lines() {
    await until(() => panel.requestLines().length >= panel.reached());
    return panel.requestLines().map(({ fields }) => fields);
  }

  /** The counts of the limit and of the usage, as soon as they agree or after a while. */
  async function counts() {
    const read = async () => {
      await panel.api.usage.flush();
      const [hits] = await database.knex('panel_api_rate_limits').where({ token_id: id }).pluck('hits');
      return [Number(hits ?? 0), (await panel.api.usage.today([id])).get(id)];
    };
    await until(async () => {
      const [hits, used] = await read();
      return hits === panel.reached() && used === hits;
    });
    return read();
  }

  test('have a line and a count each, with a status only if one was sent', async () => {
    // Inspects the columns first, because otherwise all requests would wait for that and be answered at the same
    // moment.
    await fetch(`http://127.0.0.1:${panel.http1Port}${DOMAINS}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    await pipeline(100_000);
    const all = await lines();
    expect(all).toHaveLength(panel.reached());
    expect(await counts()).toEqual([panel.reached(), panel.reached()]);
    const unsent = all.filter(({ status }) => status === null);
    expect(unsent.length).toBeGreaterThan(0);
    for (const line of unsent) expect([line.aborted, line.bytes]).toEqual([true, 0]);
    const whole = all.filter(({ aborted }) => !aborted);
    expect(whole.length).toBeGreaterThan(0);
    for (const line of whole) expect([line.status, line.bytes > 0]).toEqual([200, true]);
    // The request that owned the socket.
    expect(all.length - unsent.length - whole.length).toBeLessThanOrEqual(1);
  });

  test.each<[string, (client: http2.ClientHttp2Session) => void]>([
    ['by the client', (client) => client.destroy()],
    [
      'by the server',
      () => {
        for (const session of panel.sessions) session.destroy();
      },
    ],
  ])('over HTTP/2 %s have a line and a count each, and are aborted', async (_who, end) => {
    await openStreams(end);
    const all = await lines();
    expect(all).toHaveLength(panel.reached());
    for (const line of all) expect([line.aborted, line.bytes]).toEqual([true, 0]);
    const [hits, used] = await counts();
    expect([hits, used]).toEqual([panel.reached(), panel.reached()]);
  });

  test('before the panel hands them on have a line each', async () => {
    let waiting = 0;
    const slow = await startBothProtocols({ db: database.knex }, async ({ req }, next) => {
      waiting += 1;
      await once(req.socket, 'close');
      await next();
    });
    const socket = connect(slow.http1Port, '127.0.0.1');
    socket.write(`GET ${DOMAINS} HTTP/1.1\r\nHost: panel\r\n\r\n`.repeat(5));
    await until(() => waiting === 5);
    socket.destroy();
    await until(() => slow.requestLines().length >= 5);
    await slow.close();
    const lines = slow.requestLines().map(({ fields }) => [fields.status, fields.aborted, fields.bytes]);
    expect(lines).toEqual(Array.from({ length: 5 }, () => [null, true, 0]));
  });

  // SQLite reads in the same thread, so that nothing overlaps there.
  if (engine !== 'sqlite') {
    test('leave the next ones alone in the process, as they were before', async () => {
      await pipeline(100_000);
      await lines();
      await counts();
      let [ahead, isRead] = [0, false];
      database.knex.on('query', ({ sql }: { sql: string }) => {
        isRead ||= /from\W+domains/i.test(sql);
      });
      database.knex.on('query-response', (_rows: unknown, { sql }: { sql: string }) => {
        if (isRead && /panel_api_rate_limits/i.test(sql)) ahead += 1;
      });
      const headers = { Authorization: `Bearer ${token}` };
      for (let index = 0; index < 100; index += 1) {
        isRead = false;
        const answer = await fetch(`http://127.0.0.1:${panel.http1Port}${DOMAINS}`, { headers });
        expect(answer.status).toBe(200);
        await answer.text();
        await until(() => panel.requestLines().length >= panel.reached());
      }
      // If it is lost for good, it is lost for all. A busy machine may begin one read late.
      expect(ahead).toBeGreaterThan(50);
    });
  }
});
