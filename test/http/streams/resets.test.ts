import { once } from 'node:events';
import http2, { type ClientHttp2Session, type Http2ServerResponse, type Http2Stream } from 'node:http2';
import { type BothProtocols, startBothProtocols } from '../../fixture/bothProtocols';
import { freshDatabase, type TestDatabase } from '../../fixture/databases';
import { expectIdle } from '../../fixture/expectIdle';
import { AUTHOR } from '../../fixture/panel';
import { DOMAINS } from '../../fixture/streams/longPanel';
import { createLongTable, LONG } from '../../fixture/streams/longTable';
import { until } from '../../fixture/until';

/** An answer that is sent at once, and is longer than the client's window. */
const SHORT = `${DOMAINS}?limit=20`;
const WINDOW = 1000;
const WRONG = 'wrong';

const { NGHTTP2_NO_ERROR, NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR, NGHTTP2_REFUSED_STREAM } = http2.constants;

describe.each([
  ['NO_ERROR', NGHTTP2_NO_ERROR],
  ['CANCEL', NGHTTP2_CANCEL],
  ['INTERNAL_ERROR', NGHTTP2_INTERNAL_ERROR],
  ['REFUSED_STREAM', NGHTTP2_REFUSED_STREAM],
])('A client that resets its stream with %s', (_name, code) => {
  let database: TestDatabase;
  let panel: BothProtocols;
  let session: ClientHttp2Session;
  let token: string;
  /** The server's side of the last stream. */
  let served: Http2Stream;
  /** Called when the module has the request and has not answered it. */
  let beforeAnswer: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    database = await freshDatabase('sqlite');
    await createLongTable(database.knex, LONG);
    const enabled = async () => {
      await beforeAnswer?.();
      return true;
    };
    panel = await startBothProtocols({ db: database.knex, enabled }, (ctx, next) => {
      served = (ctx.res as unknown as Http2ServerResponse).stream;
      return next();
    });
    session = http2.connect(`http://127.0.0.1:${panel.http2Port}`, {
      settings: { initialWindowSize: WINDOW },
    });
    ({ token } = await panel.api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR));
  });

  afterEach(() => {
    beforeAnswer = undefined;
  });

  afterAll(() => session.destroy());

  function request(path: string, bearer = token) {
    const stream = session.request({ ':path': path, authorization: `Bearer ${bearer}` });
    return stream.on('error', () => undefined);
  }

  async function nextLine(before: number) {
    await until(() => panel.requestLines().length > before);
    await expectIdle(database);
    expect(panel.requestLines()).toHaveLength(before + 1);
    return panel.requestLines()[before]?.fields;
  }

  test.each([
    ['a short answer', SHORT, undefined],
    ['a long answer', DOMAINS, undefined],
    ['a refusal', DOMAINS, WRONG],
  ])('before %s leaves one line in the log', async (_answer, path, bearer) => {
    const before = panel.requestLines().length;
    const stream = request(path, bearer);
    beforeAnswer = () => {
      stream.close(code);
      return until(() => served.closed);
    };
    expect(await nextLine(before)).toMatchObject({ route: DOMAINS, status: null, aborted: true, bytes: 0 });
  });

  test.each([
    ['a short answer', SHORT],
    ['a long answer', DOMAINS],
  ])('in the middle of %s leaves one line in the log', async (_answer, path) => {
    const before = panel.requestLines().length;
    const stream = request(path);
    await once(stream, 'response');
    stream.close(code);
    expect(await nextLine(before)).toMatchObject({ route: DOMAINS, status: 200, aborted: true });
  });

  test('in the middle of an answer has used its token', async () => {
    const used = await panel.api.tokens.create({ name: 'used', scopes: ['*'] }, AUTHOR);
    const before = panel.requestLines().length;
    const stream = request(SHORT, used.token);
    await once(stream, 'response');
    stream.close(code);
    await nextLine(before);
    await panel.api.usage.flush();
    expect(await panel.api.usage.ofToken(used.record.id)).toMatchObject([
      { endpoint: 'domains', statusClass: 2, requests: 1 },
    ]);
  });
});
