import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { StartedPanel } from '../frameworks/startPanel';
import { testsOfEveryHost } from '../frameworks/testsOfEveryHost';
import { filledDatabase, HOSTS, type Runtime, startOn, switchOn } from './onRuntime';

/** The beginning of an answer of the module, which has an id, and of one of the host or the panel. */
const ofModule = (status: number) => new RegExp(`^HTTP/1.1 ${status} [^]*\r\nx-request-id: `, 'i');
const ofOther = (status: number) => new RegExp(`^HTTP/1.1 ${status} (?![^]*\r\nx-request-id: )`, 'i');
/** The host closes the connection without an answer. */
const NONE = /^$/;

/** What the servers of the runtimes make of requests that Node's treats otherwise, or that only a program sends. */
const ODD: Readonly<Record<Runtime, readonly (readonly [line: string, answer: RegExp])[]>> = {
  bun: [
    ['CONNECT /api/v1/me.php', ofModule(405)],
    ['UNKNOWN /api/v1/me.php', NONE],
    ['get /api/v1/me.php', NONE],
    ['GET /api/v1/me.php?x=%zz', ofModule(400)],
    ['GET //api/v1/me.php', ofOther(404)],
    ['GET /x/../api/v1/me.php', ofModule(200)],
    ['GET http://panel/api/v1/me.php', ofModule(200)],
  ],
  deno: [
    ['CONNECT /api/v1/me.php', ofOther(400)],
    ['UNKNOWN /api/v1/me.php', ofModule(405)],
    ['get /api/v1/me.php', ofModule(405)],
    ['GET /api/v1/me.php?x=%zz', ofModule(400)],
    ['GET //api/v1/me.php', ofOther(404)],
    ['GET /x/../api/v1/me.php', ofModule(200)],
    ['GET http://panel/api/v1/me.php', ofModule(200)],
  ],
};

describe.each(HOSTS)('In a panel of %s', (_name, runtime, file, flags) => {
  let panel: StartedPanel;

  beforeAll(async () => {
    panel = await startOn(runtime, file, await filledDatabase('mariadb'), flags);
    await switchOn(panel);
  });

  testsOfEveryHost(() => panel);

  if (file === 'http.cjs') return;

  /** Sends requests of this line over one connection, all at once, and returns what comes until its end. */
  const send = (...lines: readonly string[]) => {
    const socket = connect(Number(new URL(panel.url).port), '127.0.0.1');
    const head = `Host: panel\r\nAuthorization: Bearer ${panel.token}\r\n`;
    const requests = lines.map((line, index) => {
      const isLast = index === lines.length - 1;
      return `${line} HTTP/1.1\r\n${head}${isLast ? 'Connection: close\r\n' : ''}\r\n`;
    });
    socket.write(requests.join(''));
    return text(socket);
  };

  test.each(ODD[runtime])('the answer to %s is the expected one', async (line, answer) => {
    expect(await send(line)).toMatch(answer);
  });

  test('requests that do not wait for the answer before are answered by Deno alone', async () => {
    const answers = await send('GET /api/v1/me.php', 'GET /api/v1/me.php');
    expect(answers.match(/HTTP\/1.1 200 /g) ?? []).toHaveLength({ bun: 0, deno: 2 }[runtime]);
  });

  test('the server says a length of 0 for HEAD of a list that is sent in pieces', async () => {
    expect(await send('HEAD /api/v1/domains.php')).toMatch(/\r\ncontent-length: 0\r\n/i);
  });
});
