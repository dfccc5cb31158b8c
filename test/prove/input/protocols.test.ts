import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import http2, { type ClientHttp2Session } from 'node:http2';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { operations } from '../../../routes';
import { type BothProtocols, startBothProtocols } from '../../fixture/bothProtocols';
import { freshDatabase } from '../../fixture/databases';
import { AUTHOR } from '../../fixture/panel';
import { createFilledTables, SHOWN_SETTINGS } from '../../fixture/panelTables';
import { until } from '../../fixture/until';
import { figure } from '../figure';
import { scaled } from '../scale';
import { tryInput } from './corpus';
import { anyOperation, authorization, path, query } from './hostileInput';
import { printSeed } from './seed';

const REQUESTS = scaled({ fast: 100, full: 5_000 });

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const agent = new http.Agent({ keepAlive: true });

/** Headers of the connection, and those that differ each time. */
const VARYING = /^(?::status|date|x-request-id|ratelimit|connection|keep-alive|transfer-encoding)$/;
/** Headers that differ if the body does. */
const OF_THE_BODY = /^(?:etag|content-length)$/;
const TIME = /(?<="timestamp":")[^"]+/;
const CONSTANT = operations.filter(({ kind, name }) => kind === 'list' && name !== 'services');

/** The value of a header. HTTP/1.1 removes the space around it, and RFC 9113 (8.2.1) forbids it in HTTP/2. */
const withoutSpaceAround = (value: string) => value.replace(/^[ \t]+|[ \t]+$/g, '');

/** What must be alike. The state of services, and endpoints other than lists, are of the moment. */
function compared({ status, headers, body }: Answer, target: string): Answer {
  const isConstant = status !== 200 || CONSTANT.some(({ name }) => target.startsWith(`/api/v1/${name}.php`));
  const kept = Object.entries(headers).filter(
    ([name]) => !VARYING.test(name) && (isConstant || !OF_THE_BODY.test(name)),
  );
  const text = isConstant || body === '' ? body.replace(TIME, 'a time') : 'of the moment';
  return { status, headers: Object.fromEntries(kept), body: text };
}

describe('A panel over HTTP/1.1 and HTTP/2', () => {
  let panel: BothProtocols;
  let session: ClientHttp2Session | undefined;
  let token: string;

  beforeAll(async () => {
    const { knex } = await freshDatabase('sqlite');
    await createFilledTables(knex);
    panel = await startBothProtocols({
      db: knex,
      sources: { settings: { keys: SHOWN_SETTINGS } },
      rateLimit: { requests: 1_000_000 },
    });
    ({ token } = await panel.api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR));
    printSeed();
  });

  afterAll(() => {
    agent.destroy();
    session?.destroy();
  });

  async function one(method: string, target: string, credentials: string): Promise<Answer> {
    const headers = { authorization: credentials };
    const sent = http.request({ port: panel.http1Port, method, path: target, headers, agent }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode!, headers: response.headers, body: await text(response) };
  }

  async function two(method: string, target: string, credentials: string): Promise<Answer> {
    session ??= http2.connect(`http://127.0.0.1:${panel.http2Port}`);
    const sent = session.request({ ':method': method, ':path': target, authorization: credentials });
    const [[headers], body] = await Promise.all([once(sent, 'response'), text(sent)]);
    return { status: headers[':status'], headers, body };
  }

  test('answers hostile input over both alike, and HEAD as GET without the body', async () => {
    const known = operations.map(({ name }) => `/${name}.php`);
    const question = fc
      .tuple(anyOperation, query())
      .map(([name, parameters]) => `/${name}.php?${new URLSearchParams(parameters)}`);
    const statuses: Record<number, number> = {};
    await tryInput({
      name: 'protocols',
      arbitrary: fc.tuple(
        fc.oneof(question, path(known)).map((given) => `/api/v1${given}`),
        fc.oneof(fc.constant(`Bearer ${token}`), authorization(token)),
      ),
      check: async ([target, generated]) => {
        const credentials = withoutSpaceAround(generated);
        const got = compared(await one('GET', target, credentials), target);
        expect(compared(await two('GET', target, credentials), target)).toEqual(got);
        for (const ask of [one, two])
          expect(compared(await ask('HEAD', target, credentials), target)).toEqual({ ...got, body: '' });
        expect(got.status).toBeLessThan(500);
        statuses[got.status] = (statuses[got.status] ?? 0) + 1;
      },
      numRuns: REQUESTS,
      token,
    });
    figure('requests by GET and HEAD over HTTP/1.1 and HTTP/2: statuses', JSON.stringify(statuses));
    expect(statuses[200]).toBeGreaterThan(0);
    await until(() => panel.requestLines().length >= panel.reached());
    expect(panel.requestLines()).toHaveLength(panel.reached());
    expect(JSON.stringify(panel.requestLines())).not.toContain(token);
  });
});
