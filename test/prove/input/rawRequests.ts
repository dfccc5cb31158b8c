import { connect } from 'node:net';
import fc from 'fast-check';
import { keep } from '../../fixture/kept';

/** A request, byte by byte: what is sent is not corrected. `{token}` stands for the live token. */
export interface RawRequest {
  readonly line: string;
  readonly headers: readonly string[];
  readonly body: string;
}

/** A text that is in most requests, and must be in no answer and in no line of the log. */
export const MARK = 'zq7-mark-4x';

const LIVE = /^authorization:[ \t]*bearer +\{token\}[ \t]*$/i;

/** How many requests in these bytes have the live token as their only credentials, at the most. */
export function liveRequests(requests: readonly RawRequest[]): number {
  return requests.reduce((count, { headers, body }) => {
    const sent = headers.filter((header) => /^authorization:/i.test(header));
    return count + (sent.length === 1 && LIVE.test(sent[0]!) ? 1 : 0) + (body.includes('{token}') ? 1 : 0);
  }, 0);
}

/** The bytes of requests, one character for each. The last one asks the server to close the connection. */
export function bytesOf(requests: readonly RawRequest[], token: string): Buffer {
  const texts = requests.map(({ line, headers, body }, index) => {
    const close = index === requests.length - 1 ? ['Connection: close'] : [];
    return `${[line, 'Host: panel.example', ...close, ...headers].join('\r\n')}\r\n\r\n${body}`;
  });
  return Buffer.from(texts.join('').replaceAll('{token}', token), 'latin1');
}

/** How long a server that waits for the rest of a request is listened to. */
const SILENCE_MS = 150;

/** Sends bytes and returns all that comes back until the connection is closed or silent. */
export async function exchange(port: number, bytes: Buffer): Promise<string> {
  // The server may close the connection before all is sent.
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.setTimeout(SILENCE_MS, () => socket.destroy());
  socket.write(bytes);
  // `once` would reject if the server resets the connection.
  await new Promise((resolve) => socket.on('close', resolve));
  const received = Buffer.concat(chunks).toString('latin1');
  keep('answers', () => `${received}\n`);
  return received;
}

/** The statuses and bodies of answers that follow each other. None of them is an answer to HEAD. */
export function answersIn(received: string): readonly { readonly status: number; readonly body: string }[] {
  const answers: { status: number; body: string }[] = [];
  for (let rest = received; rest !== ''; ) {
    const [head = ''] = rest.split('\r\n\r\n', 1);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1] ?? Number.NaN);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    // Node itself sends its 417 so, without a body.
    const isChunked = /\r\ntransfer-encoding: chunked/i.test(head);
    const end = head.length + 4 + (isChunked ? '0\r\n\r\n'.length : length);
    answers.push({ status, body: rest.slice(head.length + 4, end) });
    rest = rest.slice(end);
  }
  return answers;
}

const AUTHORIZED = 'Authorization: Bearer {token}';
export const latin1 = (min: number, max: number, maxLength: number) =>
  fc.string({ unit: fc.integer({ min, max }).map((code) => String.fromCharCode(code)), maxLength });

export const target = fc.oneof(
  { weight: 6, arbitrary: fc.constant('/api/v1/me.php') },
  fc.constantFrom(
    `http://evil.example/api/v1/me.php`,
    `http://${MARK}/api/v1/me.php`,
    `ftp://${MARK}/api/v1/me.php`,
    `//${MARK}/api/v1/me.php`,
    `/api/v1//me.php`,
    `/api/v1/../v1/me.php`,
    `/api/v1/${MARK}/../me.php`,
    `/api/v1/me.php#${MARK}`,
    `/api/v1/me.php;${MARK}`,
    `${MARK}:80`,
    '*',
    '',
  ),
  // Bytes that are no UTF-8, as they are and encoded, and percent signs that encode nothing.
  fc
    .array(fc.constantFrom('%', '%f', '%zz', '%ff', '%c0%ae', '%00', '%0d%0a', '\xff', '\xc3', '\x80', MARK))
    .map((parts) => `/api/v1/${parts.join('')}`),
  fc
    .array(fc.constantFrom('%', '%ff', '%c0%ae', '%00', '%ed%a0%80', '\xff', MARK))
    .map((parts) => `/api/v1/domains.php?status=${parts.join('')}`),
  fc.integer({ min: 1, max: 20_000 }).map((length) => `/api/v1/${'a'.repeat(length)}`),
);

const line = fc
  .tuple(
    fc.constantFrom(...Array(12).fill('GET'), 'POST', 'OPTIONS', 'TRACE', 'PROPFIND', 'get', MARK),
    target,
    fc.constantFrom(...Array(12).fill('HTTP/1.1'), 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', 'HTTP/1.1 '),
  )
  .map((parts) => parts.join(' '));

export const authorization = fc.constantFrom(
  AUTHORIZED,
  AUTHORIZED,
  AUTHORIZED,
  'authorization:bearer  {token}',
  `Authorization: Bearer ${MARK}`,
  `Authorization: Bearer {token}${MARK}`,
  `Authorization: Bearer {token}, Bearer {token}`,
  'Authorization: Bearer\t{token}',
  'Authorization: Basic {token}',
  'Authorization:',
);

/** Headers that Node passes on. */
const strangeHeader = fc.oneof(
  latin1(0x80, 0xff, 40).map((value) => `X-Note: ${MARK}${value}`),
  fc.constantFrom('Expect: 100-continue', 'Upgrade: h2c', 'TE: x', 'Range: bytes=0-1', 'If-None-Match: *'),
  fc.constantFrom(`Cookie: ${MARK}`, 'Content-Type: application/json', `X-Original-URL: /${MARK}`),
  fc.constantFrom('X-HTTP-Method-Override: DELETE', `X-Request-Id: \xff`, `Referer: ${MARK}`),
);

/** Headers that Node itself is likely to refuse. */
const brokenHeader = fc.oneof(
  latin1(0x00, 0xff, 12).map((value) => `X-Raw: ${value}${MARK}`),
  latin1(0x21, 0x7e, 12).map((name) => `${name}: ${MARK}`),
  fc.constantFrom('Host: ', `Host: ${MARK}`, `Expect: ${MARK}`, ` folded ${MARK}`, `Authorization : ${MARK}`),
  fc.integer({ min: 1, max: 20_000 }).map((length) => `X-Long: ${'b'.repeat(length)}`),
);

export const flood = fc
  .tuple(fc.constantFrom(10, 500, 1500, 3000), fc.boolean())
  .map(([count, alike]) => Array.from({ length: count }, (_, index) => `X-${alike ? 'a' : index}: ${index}`));

/** Bodies and what the headers say of them: the truth, too little, too much, or two things. */
const framed = fc
  .tuple(
    fc.constantFrom(
      '',
      MARK,
      `{"${MARK}":1}`,
      `GET /api/v1/me.php HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      `GET /api/v1/me.php HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${AUTHORIZED}\r\n\r\n`,
    ),
    fc.constantFrom('exact', 'none', 'short', 'long', 'negative', 'two', 'word', 'chunked', 'broken', 'both'),
  )
  .map(([body, framing]) => {
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const forms: Readonly<Record<string, readonly [string[], string]>> = {
      exact: [[`Content-Length: ${body.length}`], body],
      none: [[], body],
      short: [['Content-Length: 1'], body],
      long: [['Content-Length: 1000000000'], body],
      negative: [['Content-Length: -1'], body],
      two: [[`Content-Length: ${body.length}`, 'Content-Length: 0'], body],
      word: [[`Content-Length: ${MARK}`], body],
      chunked: [['Transfer-Encoding: chunked'], body === '' ? '0\r\n\r\n' : chunked],
      broken: [['Transfer-Encoding: chunked'], `zz\r\n${body}`],
      both: [['Transfer-Encoding: chunked', 'Content-Length: 3'], chunked],
    };
    return forms[framing]!;
  });

const rawRequest: fc.Arbitrary<RawRequest> = fc
  .record({
    line,
    credentials: fc.array(authorization, { minLength: 1, maxLength: 3 }),
    others: fc.oneof(
      { weight: 6, arbitrary: fc.array(strangeHeader, { maxLength: 3 }) },
      { weight: 2, arbitrary: fc.array(brokenHeader, { maxLength: 2 }) },
      { weight: 1, arbitrary: flood },
    ),
    framing: fc.oneof(
      { weight: 3, arbitrary: fc.constant([[], ''] as const) },
      { weight: 1, arbitrary: framed },
    ),
  })
  .map(({ line: first, credentials, others, framing: [headers, body] }) => ({
    line: first,
    headers: [...credentials, ...headers, ...others],
    body,
  }));

/** One request or several that are sent at once. */
export const rawRequests: fc.Arbitrary<readonly RawRequest[]> = fc.oneof(
  { weight: 3, arbitrary: rawRequest.map((one) => [one]) },
  { weight: 1, arbitrary: fc.array(rawRequest, { minLength: 2, maxLength: 5 }) },
);
