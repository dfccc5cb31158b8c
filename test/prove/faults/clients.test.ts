import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { type Engine, engines } from '../../fixture/databases';
import { figure } from '../figure';
import { isWhole, scaled } from '../scale';
import { type ClientPanel, LIST, SHORT, startClientPanel } from './clientPanel';

/** Turns of the event loop after which a client leaves. */
const MOMENTS = scaled({ fast: 30, full: 300 });
/** The first bytes of an answer: its head, and the beginning of its body. */
const FIRST_BYTES = 900;
/** In a whole run, a client leaves at each of them: on SQLite, because it answers fastest. */
const STEP = scaled({ fast: 300, full: 1, long: 1 });
const FURTHER_STEP = scaled({ fast: 300, full: 9, long: 1 });
/** Further places in the answer, which are spread over it. */
const PLACES = scaled({ fast: 2, full: 40 });
const PIPELINED = 5;
const SLOW_CLIENTS = scaled({ fast: 20, full: 200 });
const PAUSE_MS = 4;

describe.each<Engine>(isWhole ? engines : ['postgresql'])('A panel with bad clients (%s)', (engine) => {
  let panel: ClientPanel;
  let request: string;
  let list: string;

  beforeAll(async () => {
    panel = await startClientPanel(engine);
    request = panel.request(SHORT);
    list = await panel.answered(panel.request(LIST));
    expect(list).toMatch(/^HTTP\/1\.1 200 .*"items":/s);
  });

  afterEach(() => panel.expectSound());

  test.each([
    ['closes', (socket: Socket) => socket.destroySoon()],
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
  ])(
    'logs each request once if the client %s its connection at any byte of the request',
    async (_how, leave) => {
      let gone = 0;
      for (let bytes = 0; bytes <= request.length; bytes += 1) {
        const socket = panel.open();
        await once(socket, 'connect');
        socket.write(request.slice(0, bytes), () => leave(socket));
        await once(socket.resume(), 'close');
        gone += 1;
      }
      expect(await panel.ownPage()).toContain('own');
      figure(`${engine}: clients gone at a byte of the request`, gone);
    },
  );

  /** Clients that send this text and leave after more and more turns of the event loop. */
  async function leaveBeforeAnswer(text: string): Promise<Readonly<Record<string, number>>> {
    const before = panel.requestLines().length;
    for (let turns = 0; turns < MOMENTS; turns += 1) {
      const socket = panel.open();
      await once(socket, 'connect');
      socket.write(text);
      // The panel runs in this process too.
      for (let turn = 0; turn < turns; turn += 1) await nextTurn();
      socket.resetAndDestroy();
    }
    const outcomes = await panel.outcomes(before);
    expect(outcomes.aborted).toBeGreaterThan(0);
    return outcomes;
  }

  test('logs each request once if the client leaves at any moment before its answer', async () => {
    const outcomes = await leaveBeforeAnswer(request);
    figure(`${engine}: clients gone before their answer`, JSON.stringify(outcomes));
  });

  test('answers requests that a client sends without waiting for answers', async () => {
    const text = panel.request(SHORT, 'keep-alive').repeat(PIPELINED - 1) + request;
    const answers = (await panel.answered(text)).split('HTTP/1.1 200 ');
    expect(answers).toHaveLength(PIPELINED + 1);
    for (const answer of answers.slice(1)) expect(answer).toContain('"items":');
  });

  test('logs each request once if a client sends several and leaves before their answers', async () => {
    const outcomes = await leaveBeforeAnswer(panel.request(SHORT, 'keep-alive').repeat(PIPELINED));
    figure(`${engine}: requests of clients that sent ${PIPELINED} and left`, JSON.stringify(outcomes));
  });

  test('logs each request once if the client leaves at any byte of the answer', async () => {
    const before = panel.requestLines().length;
    const step = engine === 'sqlite' ? STEP : FURTHER_STEP;
    const first = Array.from({ length: Math.ceil(FIRST_BYTES / step) }, (_, index) => 1 + index * step);
    const further = Array.from({ length: PLACES }, (_, index) =>
      Math.floor(FIRST_BYTES + ((index + 1) * list.length) / (PLACES + 2)),
    );
    for (const bytes of [...first, ...further]) {
      const socket = panel.open();
      socket.write(panel.request(LIST));
      await readExactly(socket, bytes);
      socket.resetAndDestroy();
      // The next client would have to wait for the connection to the database.
      await panel.outcomes(before);
    }
    expect(await panel.ownPage()).toContain('own');
    const outcomes = await panel.outcomes(before);
    expect(outcomes.aborted).toBeGreaterThan((first.length + further.length) / 2);
    figure(`${engine}: clients gone at a byte of the answer`, JSON.stringify(outcomes));
  });

  test('answers clients that send a byte at a time, and others meanwhile', async () => {
    const slowly = async (socket: Socket) => {
      for (const byte of request) {
        socket.write(byte);
        await sleep(PAUSE_MS);
      }
    };
    const slow = Array.from({ length: SLOW_CLIENTS }, () => panel.answered('', slowly));
    expect(await panel.ownPage()).toContain('own');
    const statuses = (await Promise.all(slow)).map((text) => text.slice(9, 12));
    expect(statuses).toEqual(Array.from({ length: SLOW_CLIENTS }, () => '200'));
  });
});

/** Reads this many bytes, and no more: the rest of a long answer stays in the server. */
async function readExactly(socket: Socket, bytes: number): Promise<void> {
  for (let left = bytes; left > 0; ) {
    const chunk: Buffer | null = socket.read(Math.min(left, socket.readableLength || 1));
    if (chunk) left -= chunk.length;
    else await once(socket, 'readable');
  }
}
