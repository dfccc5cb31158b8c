import fc from 'fast-check';
import { type BothProtocols, startBothProtocols } from '../../fixture/bothProtocols';
import { freshDatabase } from '../../fixture/databases';
import { AUTHOR } from '../../fixture/panel';
import { createFilledTables } from '../../fixture/panelTables';
import { until } from '../../fixture/until';
import { figure } from '../figure';
import { scaled } from '../scale';
import { tryInput } from './corpus';
import { exchangeHttp2, type Field } from './http2Frames';
import { authorization, flood, latin1, MARK, target } from './rawRequests';
import { printSeed } from './seed';

const CONNECTIONS = scaled({ fast: 100, full: 5_000 });

/** What the module may answer. Null stands for a request that Node took back. */
const ALLOWED = [200, 304, 400, 401, 404, 405, 501, null];

const PANEL = 'the panel';

type Request = readonly Field[];

const fieldOf = (line: string): Field => {
  const colon = line.indexOf(':', 1);
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
};

const method = fc.constantFrom(
  ...Array(12).fill('GET'),
  'HEAD',
  'HEAD',
  'POST',
  'OPTIONS',
  'TRACE',
  'get',
  'FOO',
);

/** Headers that HTTP/2 forbids, and such as it allows only once. */
const strangeField: fc.Arbitrary<Field> = fc.oneof(
  fc.constantFrom<Field>(
    ['connection', 'close'],
    ['transfer-encoding', 'chunked'],
    ['te', MARK],
    ['upgrade', 'h2c'],
    ['host', MARK],
    [':path', `/api/v1/${MARK}`],
    [':method', 'DELETE'],
    [':status', '200'],
    [`:${MARK}`, '1'],
    ['', MARK],
    ['Authorization', 'Bearer {token}'],
    ['content-length', '7'],
    ['content-length', '-1'],
    ['expect', '100-continue'],
    ['range', 'bytes=0-1'],
    ['if-none-match', '*'],
    ['cookie', MARK],
    ['x-request-id', '\xff'],
    ['x-http-method-override', 'DELETE'],
    ['x-long', 'b'.repeat(20_000)],
  ),
  latin1(0x00, 0xff, 12).map((value): Field => ['x-raw', value + MARK]),
  latin1(0x21, 0x7e, 12).map((name): Field => [name, MARK]),
);

const request: fc.Arbitrary<Request> = fc
  .record({
    method,
    path: target,
    credentials: fc.array(authorization.map(fieldOf), { minLength: 1, maxLength: 3 }),
    others: fc.oneof(
      { weight: 8, arbitrary: fc.constant([]) },
      { weight: 6, arbitrary: fc.array(strangeField, { maxLength: 3 }) },
      { weight: 1, arbitrary: flood.map((lines) => lines.map(fieldOf)) },
    ),
    authority: fc.constantFrom<Field[][]>([[':authority', 'panel.example']], [], [[':authority', MARK]]),
  })
  .map((given) => [
    [':method', given.method],
    [':scheme', 'http'],
    [':path', given.path],
    ...given.authority,
    ...given.credentials,
    ...given.others,
  ]);

/** Whether the live token is its only credentials, at the most. */
function isLive(fields: Request): boolean {
  const sent = fields.filter(([name]) => name.toLowerCase() === 'authorization');
  return sent.length === 1 && /^bearer +\{token\}$/i.test(sent[0]![1]);
}

describe('A panel that gets headers over HTTP/2 that no client sends', () => {
  let panel: BothProtocols;
  let token: string;
  let reached = 0;

  beforeAll(async () => {
    printSeed();
    const { knex } = await freshDatabase('sqlite');
    await createFilledTables(knex);
    const options = { db: knex, rateLimit: { requests: 1_000_000 } };
    panel = await startBothProtocols(options, async (ctx, next) => {
      if (/^\/api\/v1(?:\/|$)/.test(ctx.path)) reached += 1;
      else ctx.body = PANEL;
      await next();
    });
    ({ token } = await panel.api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR));
  });

  test('serves only the live token, with fixed words and one line for each request that reaches it', async () => {
    const counts: Record<string, number> = {};
    await tryInput({
      name: 'rawHttp2',
      arbitrary: fc.array(request, { minLength: 1, maxLength: 4 }),
      check: async (requests) => {
        const before = panel.requestLines().length;
        const sent = requests.map((fields) =>
          fields.map(([name, value]): Field => [name, value.replaceAll('{token}', token)]),
        );
        const answers = await exchangeHttp2(panel.http2Port, sent);
        await until(() => panel.requestLines().length >= reached);
        expect(panel.requestLines()).toHaveLength(reached);
        const statuses = panel
          .requestLines()
          .slice(before)
          .map(({ fields }) => fields.status);
        for (const status of statuses) {
          counts[status] = (counts[status] ?? 0) + 1;
          expect(ALLOWED).toContain(status);
        }
        const served = statuses.filter((status) => status === 200 || status === 304);
        expect(served.length).toBeLessThanOrEqual(requests.filter(isLive).length);
        for (const { body, end } of answers) {
          counts[String(end)] = (counts[String(end)] ?? 0) + 1;
          expect(body).not.toContain(token);
          expect(body.toLowerCase()).not.toContain(MARK);
          if (body !== '' && body !== PANEL) expect(body).toMatch(/^\{"success":(?:true|false),/);
        }
      },
      numRuns: CONNECTIONS,
    });
    expect(counts[200]).toBeGreaterThan(0);
    const log = JSON.stringify(panel.requestLines());
    expect(log).not.toContain(token);
    expect(log.toLowerCase()).not.toContain(MARK);
    figure('connections of HTTP/2 with raw headers', CONNECTIONS);
    figure('connections of HTTP/2: statuses, and ends of requests', JSON.stringify(counts));
  });
});
