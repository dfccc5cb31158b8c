import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeEachEngine } from '../../fixture/databases';
import { expectIdle } from '../../fixture/expectIdle';
import { DOMAINS, type LongPanel, ME, startLongPanel } from '../../fixture/streams/longPanel';
import { isWhole } from '../../prove/scale';

const REQUESTS = isWhole ? 20 : 10;
const AT_ONCE = REQUESTS / 2;

describeEachEngine('A panel whose clients of long lists all disconnect', (engine) => {
  let long: LongPanel;
  let length: number;
  const unhandled: unknown[] = [];
  const keep = (error: unknown) => unhandled.push(error);

  beforeAll(async () => {
    process.on('unhandledRejection', keep);
    long = await startLongPanel(engine, { rows: isWhole ? 3000 : 2000 });
    length = (await (await long.open()).rest()).text.length;
  });

  afterAll(() => void process.off('unhandledRejection', keep));

  /** Reads this many bytes of the answer and leaves, or leaves after some milliseconds. */
  async function ask(method: string, { bytes = Infinity, milliseconds = Infinity }): Promise<void> {
    const socket = connect(Number(new URL(long.panel.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    // On a busy machine an answer may be a 503, after which a connection would be kept.
    socket.write(
      `${method} ${DOMAINS} HTTP/1.1\r\nHost: panel\r\nConnection: close\r\nAuthorization: Bearer ${long.token}\r\n\r\n`,
    );
    if (milliseconds < Infinity) {
      await sleep(milliseconds);
      socket.destroy();
      return;
    }
    let read = 0;
    socket.on('data', (chunk) => {
      read += chunk.length;
      if (read >= bytes) socket.destroy();
    });
    await once(socket, 'close');
  }

  test.each([
    ['before the headers', (index: number) => ask('GET', { milliseconds: (40 * index) / REQUESTS })],
    ['at the headers', () => ask('GET', { bytes: 1 })],
    ['half-way', (index: number) => ask('GET', { bytes: (length * (1 + index)) / (2 * REQUESTS) })],
    ['at the end', (index: number) => ask('GET', { bytes: length - 1000 * index })],
    ['after the headers, which are all that they wanted', () => ask('HEAD', { bytes: 1 })],
    [
      'before the headers, which are all that they wanted',
      (index: number) => ask('HEAD', { milliseconds: (40 * index) / REQUESTS }),
    ],
  ])('%s keeps no connection and no transaction', async (_stage, leave) => {
    for (let index = 0; index < REQUESTS; index += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, place) => leave(index + place)));
    await expectIdle(long.database);
    expect(await long.ask(ME)).toEqual([200, null]);
    expect([long.errors, unhandled]).toEqual([[], []]);
  });
});
