import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { createMcp } from '../../index';
import {
  type AssistantsPanel,
  connectClient,
  startAssistantsPanel,
  toolCall,
} from '../fixture/assistants/assistantsPanel';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { freshDatabase, type TestDatabase } from '../fixture/databases';
import { createFilledTables } from '../fixture/panelTables';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const COUNT = toolCall('panel_count', { list: 'domains' });

let database: TestDatabase;
let mcp: AssistantsPanel;
let token: string;

beforeAll(async () => {
  database = await freshDatabase('sqlite');
  await createFilledTables(database.knex);
  mcp = await startAssistantsPanel({ db: database.knex });
  token = await mcp.panel.token();
});

/** Sends a message with exactly this header Accept, which `fetch` would add. */
function ask(accept: string | null, revision: string) {
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    'MCP-Protocol-Version': revision,
    ...(accept !== null && { Accept: accept }),
  };
  return new Promise<[status: number | undefined, type: string | undefined, text: string]>(
    (resolve, reject) => {
      const sent = request(mcp.url, { method: 'POST', headers }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        answer.on('end', () => resolve([answer.statusCode, answer.headers['content-type'], text]));
      });
      sent.on('error', reject).end(JSON.stringify(COUNT));
    },
  );
}

test.each([
  ['application/json, text/event-stream'],
  ['text/event-stream, application/json'],
  ['text/event-stream;q=1, application/json;q=0.1'],
  ['application/json'],
  ['application/json; charset=utf-8'],
  ['APPLICATION/JSON'],
  ['application/*'],
  ['*/*'],
  ['text/event-stream;q=0, */*'],
  ['text/html, application/xhtml+xml, */*;q=0.8'],
  [''],
  [null],
])('the header Accept: %s gets an answer in JSON', async (accept) => {
  const [status, type, text] = await ask(accept, '2025-06-18');
  expect([status, type, JSON.parse(text)]).toMatchObject([
    200,
    'application/json',
    { jsonrpc: '2.0', id: 1, result: { structuredContent: { rows: 1 } } },
  ]);
});

test.each([
  ['text/html'],
  ['text/event-stream'],
  ['application/json;q=0'],
  ['application/json;q=0.000, */*'],
  ['*/*;q=0'],
  ['application/*;q=0, */*'],
])('the header Accept: %s is refused, because it takes no JSON', async (accept) => {
  const [status, type, text] = await ask(accept, '2025-06-18');
  expect([status, type, JSON.parse(text).error.message]).toEqual([
    406,
    'application/json',
    'The answer is application/json, which the header Accept must allow.',
  ]);
});

const BODY = JSON.stringify(COUNT);

/** What the body parsers of panels leave of a message. */
const LEFT: Readonly<Record<string, object>> = {
  'a Buffer, as of express.raw': { body: Buffer.from(BODY) },
  'an array of bytes': { body: new Uint8Array(Buffer.from(BODY)) },
  'a text, as of express.text': { body: BODY },
  'an object, as of express.json': { body: COUNT },
};

async function readAll(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}

test.each(Object.entries(LEFT))('reads a message of which a parser in Koa left %s', async (_what, left) => {
  const app = new Koa();
  app.use(async (ctx, next) => {
    await readAll(ctx.req);
    Object.assign(ctx.request, left);
    return next();
  });
  const parsed = await startAssistantsPanel({ db: database.knex }, {}, app);
  expect((await parsed.send('read by the parser', token)).message.result.structuredContent.rows).toBe(1);
});

test.each(Object.entries(LEFT))(
  'reads a message of which a parser outside Koa left %s',
  async (_what, left) => {
    const handle = createMcp({ api: mcp.panel.api, path: '/tools' }).handler();
    const server = createServer(async (asked, answer) => {
      await readAll(asked);
      handle(Object.assign(asked, left), answer);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closeAtEnd(() => server.close());
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/tools`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: 'read by the parser',
    });
    expect(await answer.json()).toMatchObject({ result: { structuredContent: { rows: 1 } } });
  },
);

test.each<[string, object, number]>([
  ['larger than a message may be, as an object', { body: { ...COUNT, pad: 'x'.repeat(65_536) } }, 413],
  ['larger than a message may be, as a text', { body: JSON.stringify('x'.repeat(65_536)) }, 413],
  ['larger than a message may be, as bytes', { body: Buffer.alloc(65_537, ' ') }, 413],
  ['an array of messages', { body: [COUNT] }, 400],
  ['an array of messages, as a text', { body: JSON.stringify([COUNT]) }, 400],
  ['no JSON', { body: Buffer.from('{') }, 400],
  ['nothing', {}, 400],
])('refuses a message of which a parser left %s', async (_what, left, status) => {
  const app = new Koa();
  app.use(async (ctx, next) => {
    await readAll(ctx.req);
    Object.assign(ctx.request, left);
    return next();
  });
  const parsed = await startAssistantsPanel({ db: database.knex }, {}, app);
  expect((await parsed.send('read by the parser', token)).status).toBe(status);
});

test('a slash at the end of the path makes no difference, for any method', async () => {
  const client = await connectClient(`${mcp.url}/`, token, 'modern');
  expect((await client.listTools()).tools).toHaveLength(6);
  for (const method of ['GET', 'HEAD', 'DELETE']) {
    const answers = await Promise.all(
      [mcp.url, `${mcp.url}/`].map((url) =>
        fetch(url, { method, headers: { Authorization: `Bearer ${token}` } }),
      ),
    );
    for (const { status, headers } of answers) expect([status, headers.get('Allow')]).toEqual([405, 'POST']);
  }
  for (const path of ['//', '/x', '/x/']) expect((await fetch(`${mcp.url}${path}`)).status).toBe(404);
});

test.each([
  ['prompts/list', { prompts: [] }],
  ['resources/list', { resources: [] }],
  ['resources/templates/list', { resourceTemplates: [] }],
])('a client that asks for %s gets an empty list, in old and new revisions', async (method, empty) => {
  const old = await mcp.send({ ...LIST, method }, token);
  expect([old.status, old.message.result]).toEqual([200, empty]);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  };
  const headers = { 'MCP-Protocol-Version': '2026-07-28', 'MCP-Method': method };
  const { status, message } = await mcp.send({ ...LIST, method, params: { _meta } }, token, { headers });
  expect([status, message.result]).toMatchObject([200, empty]);
});

test('a client is told of tools alone, so that it need not ask for other lists', async () => {
  const client = await connectClient(mcp.url, token, 'legacy');
  expect(client.getServerCapabilities()).toEqual({ tools: {} });
});
