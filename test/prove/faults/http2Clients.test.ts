import { once } from 'node:events';
import http2 from 'node:http2';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Engine, engines } from '../../fixture/databases';
import { figure } from '../figure';
import { exchangeHttp2, type Field, http2Bytes } from '../input/http2Frames';
import { isWhole, scaled } from '../scale';
import { type ClientPanel, LIST, SHORT, startClientPanel } from './clientPanel';

const SLOW_CLIENTS = scaled({ fast: 10, full: 100 });
const PAUSE_MS = 4;
/** How much of an answer is read before its client leaves. The last is more than the window of a stream. */
const READ_BYTES = scaled({ fast: 2, full: 60 });
const RESETS = scaled({ fast: 400, full: 20_000 });
const STREAMS_PER_SESSION = 100;
const CLOSED_MS = 2000;

describe.each<Engine>(isWhole ? engines : ['sqlite'])(
  'A panel with bad clients over HTTP/2 (%s)',
  (engine) => {
    let panel: ClientPanel;
    let fields: readonly Field[];

    beforeAll(async () => {
      panel = await startClientPanel(engine);
      fields = [
        [':method', 'GET'],
        [':scheme', 'http'],
        [':authority', 'panel'],
        [':path', SHORT],
        ['authorization', `Bearer ${panel.token}`],
      ];
    });

    afterEach(async () => {
      const [answer] = await exchangeHttp2(panel.http2Port, [fields]);
      expect(answer).toMatchObject({ end: 'whole', body: expect.stringContaining('"items":') });
      await panel.expectSound();
    });

    test.each([
      ['closes', (socket: Socket) => socket.destroySoon()],
      ['resets', (socket: Socket) => socket.resetAndDestroy()],
    ])('logs each request once if the client %s its connection at any byte it sends', async (_how, leave) => {
      const bytes = http2Bytes([fields, fields]);
      const before = panel.reached();
      for (let sent = 0; sent <= bytes.length; sent += 1) {
        const socket = connect(panel.http2Port, '127.0.0.1').on('error', () => undefined);
        await once(socket, 'connect');
        socket.write(bytes.subarray(0, sent), () => leave(socket));
        await once(socket.resume(), 'close');
      }
      expect(await panel.ownPage()).toContain('own');
      figure(
        `${engine}: clients gone at a byte over HTTP/2, requests that arrived`,
        `${bytes.length + 1}, ${panel.reached() - before}`,
      );
    });

    test('logs each request once if the client leaves in the middle of its answer', async () => {
      const before = panel.requestLines().length;
      for (let place = 0; place < READ_BYTES; place += 1) {
        const client = http2.connect(`http://127.0.0.1:${panel.http2Port}`).on('error', () => undefined);
        const stream = client.request({ ':path': LIST, authorization: `Bearer ${panel.token}` });
        stream.on('error', () => undefined);
        await once(stream, 'response');
        for (let left = 1 + place * place * 30; left > 0; ) {
          const chunk: Buffer | null = stream.read();
          if (chunk) left -= chunk.length;
          else await once(stream, 'readable');
        }
        if (place % 2 === 0) stream.close(http2.constants.NGHTTP2_CANCEL);
        client.destroy();
        // The next client would have to wait for the connection to the database.
        await panel.outcomes(before);
      }
      const outcomes = await panel.outcomes(before);
      expect(outcomes).toEqual({ aborted: READ_BYTES });
      figure(`${engine}: clients gone in an answer over HTTP/2`, JSON.stringify(outcomes));
    });

    test('answers clients that send a byte at a time, and others meanwhile', async () => {
      const slowly = async (socket: Socket, bytes: Buffer) => {
        for (const byte of bytes) {
          socket.write(Buffer.of(byte));
          await sleep(PAUSE_MS);
        }
      };
      const slow = Array.from({ length: SLOW_CLIENTS }, () =>
        exchangeHttp2(panel.http2Port, [fields], slowly),
      );
      expect(await panel.ownPage()).toContain('own');
      const answers = (await Promise.all(slow)).flat();
      expect(answers.filter(({ end, body }) => end === 'whole' && body.includes('"items":'))).toHaveLength(
        SLOW_CLIENTS,
      );
    });

    test('answers other clients while streams are reset as soon as they are opened', async () => {
      const before = panel.reached();
      let reset = 0;
      while (reset < RESETS) {
        const client = http2.connect(`http://127.0.0.1:${panel.http2Port}`).on('error', () => undefined);
        await once(client, 'connect');
        for (let stream = 0; stream < STREAMS_PER_SESSION; stream += 1, reset += 1) {
          const opened = client.request({ ':path': SHORT, authorization: `Bearer ${panel.token}` });
          opened.on('error', () => undefined).close(http2.constants.NGHTTP2_CANCEL);
        }
        if (reset % 1000 === 0) expect(await panel.ownPage()).toContain('own');
        client.close();
        await Promise.race([once(client, 'close'), sleep(CLOSED_MS, null, { ref: false })]);
        client.destroy();
      }
      expect(await panel.ownPage()).toContain('own');
      const reached = panel.reached() - before;
      expect(reached).toBeGreaterThan(reset / 2);
      figure(`${engine}: streams of HTTP/2 that were reset, and reached the module`, `${reset}, ${reached}`);
    });
  },
);
