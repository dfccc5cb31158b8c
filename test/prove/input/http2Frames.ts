import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { keep } from '../../fixture/kept';

/** A header as it is sent, one character for each byte. */
export type Field = readonly [name: string, value: string];

/** What came back for a request. */
export interface Http2Answer {
  /** The bodies of its DATA frames. */
  readonly body: string;
  /** Null if neither its end nor a reset came. */
  readonly end: 'whole' | 'reset' | null;
}

const TYPE = { data: 0, headers: 1, reset: 3, settings: 4, windowUpdate: 8, continuation: 9 };
const END_STREAM = 1;
const END_HEADERS = 4;
const MOST = 16_384;
const WIDE = 0x7fff0000;
/** How long a server that says nothing is listened to. */
const SILENCE_MS = 2000;

/** Sends requests over one connection, with their headers as they are, and returns what comes back for each. */
export async function exchangeHttp2(
  port: number,
  requests: readonly (readonly Field[])[],
  send: (socket: Socket, bytes: Buffer) => unknown = (socket, bytes) => socket.write(bytes),
): Promise<readonly Http2Answer[]> {
  const answers = requests.map(() => ({ body: '', end: null as Http2Answer['end'] }));
  // The server may close the connection before all is sent.
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.setTimeout(SILENCE_MS, () => socket.destroy());
  let received = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (let length = lengthOf(received); received.length >= length; length = lengthOf(received)) {
      take(received.subarray(0, length));
      received = received.subarray(length);
    }
    if (answers.every(({ end }) => end !== null)) socket.end();
  });
  const take = (frame: Buffer) => {
    const answer = answers[(frame.readUInt32BE(5) - 1) / 2];
    if (!answer) return;
    const [type, flags] = [frame[3]!, frame[4]!];
    if (type === TYPE.data) answer.body += frame.toString('latin1', 9);
    if (type === TYPE.reset) answer.end = 'reset';
    else if (type <= TYPE.headers && flags & END_STREAM) answer.end = 'whole';
  };
  send(socket, http2Bytes(requests));
  await once(socket, 'close');
  for (const { body } of answers) keep('answers', () => `${body}\n`);
  return answers;
}

/** All that a client sends for these requests, over a connection of their own. */
export function http2Bytes(requests: readonly (readonly Field[])[]): Buffer {
  return Buffer.concat([
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    // A window of the connection and of each stream in which every answer fits.
    frameOf(TYPE.settings, 0, 0, Buffer.from([0, 4, 0x7f, 0xff, 0, 0])),
    frameOf(TYPE.windowUpdate, 0, 0, uint32(WIDE)),
    ...requests.flatMap((fields, index) => headerFrames(2 * index + 1, fields)),
  ]);
}

/** The length of the first frame; infinite while it is not known. */
function lengthOf(bytes: Buffer): number {
  return bytes.length < 9 ? Number.POSITIVE_INFINITY : 9 + bytes.readUIntBE(0, 3);
}

function headerFrames(stream: number, fields: readonly Field[]): Buffer[] {
  const block = Buffer.concat(
    fields.flatMap(([name, value]) => [Buffer.from([0]), textOf(name), textOf(value)]),
  );
  const count = Math.max(1, Math.ceil(block.length / MOST));
  return Array.from({ length: count }, (_, index) => {
    const type = index === 0 ? TYPE.headers : TYPE.continuation;
    const flags = (index === 0 ? END_STREAM : 0) | (index === count - 1 ? END_HEADERS : 0);
    return frameOf(type, flags, stream, block.subarray(index * MOST, (index + 1) * MOST));
  });
}

/** A text without Huffman's code, after its length in HPACK's form: seven bits, and then seven in each byte. */
function textOf(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const length = [127];
  let rest = bytes.length - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) length.push((rest % 128) + 128);
  return Buffer.concat([Buffer.from([...length, rest]), bytes]);
}

function frameOf(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
