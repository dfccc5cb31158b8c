import { once } from 'node:events';
import http2 from 'node:http2';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { type BothProtocols, startBothProtocols } from '../../fixture/bothProtocols';
import { createDomains } from '../../fixture/createDomains';
import { type Engine, engines, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { expectIdle } from '../../fixture/expectIdle';
import { AUTHOR } from '../../fixture/panel';
import { until } from '../../fixture/until';
import { figure } from '../figure';
import { isWhole, scaled } from '../scale';

const DOMAINS = '/api/v1/domains.php';
const OWN = '/own-page';
const ROWS = 20;
/** Between the bytes of the answer: in a whole run, every byte. */
const STEP = scaled({ fast: 97, full: 1, long: 1 });
/** Turns of the event loop after which a client leaves. */
const MOMENTS = scaled({ fast: 30, full: 300 });
const SLOW_CLIENTS = scaled({ fast: 20, full: 200 });
const RESETS = scaled({ fast: 400, full: 20_000 });
const STREAMS_PER_SESSION = 100;
const PAUSE_MS = 4;
const HEALED_MS = 2000;

describe.each<Engine>(isWhole ? engines : ['postgresql'])('A panel with bad clients (%s)', (engine) => {
  let database: TestDatabase;
  let panel: BothProtocols;
  let request: string;
  let token: string;
  let answer: string;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    await createDomains(database.knex, ROWS);
    panel = await startBothProtocols(
      { db: database.knex, httpsRequired: false, rateLimit: { requests: 1_000_000 } },
      (ctx, next) => {
        if (ctx.path !== OWN) return next();
        ctx.body = 'own';
      },
    );
    ({ token } = await panel.api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR));
    request = `GET ${DOMAINS} HTTP/1.1\r\nHost: panel\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    answer = await answered(request);
    expect(answer).toMatch(/^HTTP\/1\.1 200 .*"items":/s);
  });

  afterEach(async () => {
    const started = performance.now();
    expect((await answered(request)).slice(0, 12)).toBe('HTTP/1.1 200');
    expect(performance.now() - started).toBeLessThan(HEALED_MS);
    await until(() => panel.requestLines().length >= panel.reached());
    expect(panel.requestLines()).toHaveLength(panel.reached());
    await expectIdle(database);
  });

  function open(): Socket {
    return connect(panel.http1Port, '127.0.0.1').on('error', () => undefined);
  }

  /** Sends a text and returns all that the panel answers. */
  async function answered(
    text: string,
    send: (socket: Socket) => unknown = (socket) => socket.write(text),
  ): Promise<string> {
    const socket = open().setEncoding('utf8');
    let read = '';
    socket.on('data', (chunk) => {
      read += chunk;
    });
    send(socket);
    await once(socket, 'close');
    return read;
  }

  /** Waits until this many bytes have arrived, or all. */
  async function received(socket: Socket, bytes: number): Promise<void> {
    let arrived = 0;
    await new Promise<void>((resolve) => {
      socket.on('close', () => resolve());
      socket.on('data', (chunk: Buffer) => {
        arrived += chunk.length;
        if (arrived >= bytes) resolve();
      });
    });
  }

  const ownPage = () => answered(`GET ${OWN} HTTP/1.1\r\nHost: panel\r\nConnection: close\r\n\r\n`);

  test.each([
    ['closes', (socket: Socket) => socket.destroySoon()],
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
  ])(
    'logs each request once if the client %s its connection at any byte of the request',
    async (_how, leave) => {
      let gone = 0;
      for (let bytes = 0; bytes <= request.length; bytes += 1) {
        const socket = open();
        await once(socket, 'connect');
        socket.write(request.slice(0, bytes), () => leave(socket));
        await once(socket.resume(), 'close');
        gone += 1;
      }
      expect(await ownPage()).toContain('own');
      figure(`${engine}: clients gone at a byte of the request`, gone);
    },
  );

  test('logs each request once if the client leaves at any moment before its answer', async () => {
    const statuses: Record<string, number> = {};
    const before = panel.requestLines().length;
    for (let turns = 0; turns < MOMENTS; turns += 1) {
      const socket = open();
      await once(socket, 'connect');
      socket.write(request);
      // The panel runs in this process too.
      for (let turn = 0; turn < turns; turn += 1) await nextTurn();
      socket.resetAndDestroy();
    }
    await until(() => panel.requestLines().length >= panel.reached());
    for (const { fields } of panel.requestLines().slice(before)) {
      const outcome = fields.aborted ? 'aborted' : String(fields.status);
      statuses[outcome] = (statuses[outcome] ?? 0) + 1;
    }
    expect(statuses.aborted).toBeGreaterThan(0);
    figure(`${engine}: clients gone before their answer`, JSON.stringify(statuses));
  });

  test('logs each request once if the client leaves at any byte of the answer', async () => {
    let gone = 0;
    for (let bytes = 1; bytes <= answer.length; bytes += STEP) {
      const socket = open();
      socket.write(request);
      await received(socket, bytes);
      socket.resetAndDestroy();
      gone += 1;
    }
    expect(await ownPage()).toContain('own');
    figure(`${engine}: clients gone at a byte of the answer`, gone);
  });

  test('answers clients that send a byte at a time, and others meanwhile', async () => {
    const slowly = async (socket: Socket) => {
      for (const byte of request) {
        socket.write(byte);
        await sleep(PAUSE_MS);
      }
    };
    const slow = Array.from({ length: SLOW_CLIENTS }, () => answered('', slowly));
    expect(await ownPage()).toContain('own');
    const statuses = (await Promise.all(slow)).map((text) => text.slice(9, 12));
    expect(statuses).toEqual(Array.from({ length: SLOW_CLIENTS }, () => '200'));
  });

  test('answers other clients while streams over HTTP/2 are reset as soon as they are opened', async () => {
    const before = panel.reached();
    let reset = 0;
    while (reset < RESETS) {
      const client = http2.connect(`http://127.0.0.1:${panel.http2Port}`).on('error', () => undefined);
      await once(client, 'connect');
      for (let stream = 0; stream < STREAMS_PER_SESSION; stream += 1, reset += 1) {
        const opened = client.request({ ':path': DOMAINS, authorization: `Bearer ${token}` });
        opened.on('error', () => undefined).close(http2.constants.NGHTTP2_CANCEL);
      }
      if (reset % 1000 === 0) expect(await ownPage()).toContain('own');
      client.close();
      await Promise.race([once(client, 'close'), sleep(HEALED_MS, null, { ref: false })]);
      client.destroy();
    }
    expect(await ownPage()).toContain('own');
    const reached = panel.reached() - before;
    expect(reached).toBeGreaterThan(reset / 2);
    figure(`${engine}: streams of HTTP/2 that were reset, and reached the module`, `${reset}, ${reached}`);
  });
});
