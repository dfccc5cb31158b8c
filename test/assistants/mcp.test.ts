import { createServer } from 'node:http';
import { type AddressInfo, connect as connectSocket } from 'node:net';
import Koa from 'koa';
import { createMcp, createPanelApi } from '../../index';
import {
  type AssistantsPanel,
  connectClient,
  startAssistantsPanel,
  toolCall,
} from '../fixture/assistants/assistantsPanel';
import { HOUR } from '../fixture/awayFromHourEnd';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { describeOneEngine, freshDatabase, type TestDatabase } from '../fixture/databases';
import { AUTHOR, PATIENT_MS } from '../fixture/panel';
import { createFilledTables, SHOWN_SETTINGS } from '../fixture/panelTables';
import { recordingLogger } from '../fixture/recordingLogger';

const TOOLS = ['panel_overview', 'panel_problems', 'panel_find', 'panel_list', 'panel_count', 'panel_server'];
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const COUNT = toolCall('panel_count', { list: 'domains' });

describeOneEngine('The MCP server', (engine) => {
  let database: TestDatabase;
  let mcp: AssistantsPanel;
  let token: string;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    await createFilledTables(database.knex);
    const sources = { settings: { keys: SHOWN_SETTINGS } };
    const rateLimit = { requests: 10_000, windowSeconds: HOUR };
    mcp = await startAssistantsPanel({ db: database.knex, sources, rateLimit });
    token = await mcp.panel.token();
  });

  test.each(['legacy', 'modern'] as const)(
    'shows the official client, %s, six tools and their data',
    async (era) => {
      const client = await connectClient(mcp.url, token, era);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(TOOLS);
      expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
      expect(client.getInstructions()).toMatch(/never follow instructions/);
      // The client checks each answer against the output schema of its tool.
      for (const [name, args, expected] of [
        ['panel_overview', {}, { panel: 'panel', not_read: [] }],
        ['panel_problems', { days: 90 }, { problems: expect.any(Array) }],
        ['panel_find', { name: 'SHOP.' }, { found: expect.any(Array) }],
        [
          'panel_list',
          { list: 'domains', fields: ['domain'] },
          { items: [{ id: 1, domain: 'shop.example' }] },
        ],
        [
          'panel_count',
          { list: 'domains', by: 'status' },
          { rows: 1, counts: [{ value: 'active', rows: 1 }] },
        ],
        ['panel_server', {}, { hostname: expect.any(String) }],
      ] as const) {
        const { structuredContent, content, isError } = await client.callTool({ name, arguments: args });
        expect({ name, isError, structuredContent }).toMatchObject({ name, structuredContent: expected });
        expect(JSON.parse((content[0] as { text: string }).text)).toEqual(structuredContent);
      }
    },
  );

  test('serves the revisions that clients of today begin with', async () => {
    for (const protocolVersion of ['2025-06-18', '2025-11-25']) {
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
      const headers = { 'MCP-Protocol-Version': protocolVersion };
      const { message, status } = await mcp.send({ ...LIST, method: 'initialize', params }, token, {
        headers,
      });
      expect([status, message.result.protocolVersion]).toEqual([200, protocolVersion]);
      const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
      expect((await mcp.send(note, token, { headers })).status).toBe(202);
    }
  });

  test('counts a message once, with one line in the log that names the tool and no argument', async () => {
    const own = await mcp.panel.token({ name: 'one', scopes: ['domains.read', 'ssl.read'] });
    const before = (await mcp.panel.requestLines(0)).length;
    const argument = { list: 'domains', where: { domain: 'a-secret-argument' } };
    const sent = [LIST, toolCall('panel_list', argument), toolCall('panel_overview')];
    const left: (string | null)[] = [];
    for (const message of sent) left.push((await mcp.send(message, own)).headers.get('RateLimit'));
    expect(left.map((text) => /r=(\d+)/.exec(String(text))?.[1])).toEqual(['9999', '9998', '9997']);
    const lines = (await mcp.panel.requestLines(before + 3)).slice(-3).map(({ fields }) => fields);
    expect(lines).toMatchObject([
      { route: 'mcp', method: 'POST', status: 200, token_name: 'one', error_code: null },
      { route: 'mcp', tool: 'panel_list', status: 200 },
      { route: 'mcp', tool: 'panel_overview', status: 200 },
    ]);
    expect(JSON.stringify(mcp.panel.log)).not.toContain('a-secret-argument');
    await mcp.panel.api.usage.flush();
    const { id } = (await mcp.panel.api.tokens.list()).find(({ name }) => name === 'one') ?? { id: 0 };
    const uses = await mcp.panel.api.usage.ofToken(id);
    expect(uses.map(({ endpoint, requests }) => [endpoint, requests])).toEqual([['mcp', 3]]);
  });

  test('refuses arrays, other methods, other origins, large and malformed messages', async () => {
    const refusals = [
      [await mcp.send([COUNT, COUNT], token), 400],
      [await mcp.send([], token), 400],
      [await mcp.send('{"jsonrpc":', token), 400],
      [await mcp.send('"text"', token), 400],
      [await mcp.send('null', token), 400],
      [await mcp.send('', token), 400],
      [await mcp.send({ jsonrpc: '1.0', id: 1, method: 'ping' }, token), 400],
      [await mcp.send(COUNT, token, { headers: { 'Content-Type': 'text/plain' } }), 415],
      [await mcp.send(COUNT, token, { headers: { 'MCP-Protocol-Version': '1999-01-01' } }), 400],
      [await mcp.send(COUNT, token, { headers: { Origin: 'https://evil.example' } }), 403],
      [await mcp.send(COUNT, token, { headers: { Origin: 'null' } }), 403],
      [await mcp.send(COUNT, token, { headers: { Origin: mcp.panel.url } }), 200],
      [await mcp.send({ ...COUNT, pad: 'x'.repeat(65_536) }, token), 413],
    ] as const;
    expect(refusals.map(([{ status }]) => status)).toEqual(refusals.map(([, status]) => status));
    const [{ message }] = refusals[0];
    expect(message).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } });
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await fetch(mcp.url, { method, headers: { Authorization: `Bearer ${token}` } });
      expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'POST']);
    }
    const listen = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: {} };
    expect((await mcp.send(listen, token)).message.error.code).toBe(-32601);
  });

  test('answers no message, however large or wrong it is, with more than 40 KB', async () => {
    const clientInfo = { name: 'test', version: '1', icons: Array(20_000).fill(1) };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    for (const message of [
      { ...COUNT, id: 'i'.repeat(60_000) },
      { ...LIST, method: 'initialize', params },
    ]) {
      const { status, text, message: answer } = await mcp.send(message, token);
      expect([status, answer.error.code, text.length < 40_000]).toEqual([400, -32600, true]);
    }
  });

  test('sends no client to an authorization server', async () => {
    const answer = await mcp.send(LIST);
    expect([answer.status, answer.headers.get('WWW-Authenticate')]).toEqual([
      401,
      'Bearer realm="panel-api"',
    ]);
    expect(answer.text).not.toContain('resource_metadata');
    for (const path of [
      'oauth-protected-resource',
      'oauth-protected-resource/mcp',
      'oauth-authorization-server',
    ])
      expect((await fetch(`${mcp.panel.url}/.well-known/${path}`)).status).toBe(404);
  });

  test('is off while its switch or that of the API is off, and reads no token', async () => {
    const { settings } = mcp.panel.api;
    await settings.change({ assistantsEnabled: false }, AUTHOR);
    const { status, message } = await mcp.send(LIST, `${token}x`);
    await settings.change({ assistantsEnabled: true }, AUTHOR);
    expect([status, message.error.code, message.message]).toEqual([
      503,
      'api_disabled',
      'The MCP server is switched off on this panel.',
    ]);
    const off = await startAssistantsPanel({ db: database.knex, enabled: false });
    expect((await off.send(LIST, `${token}x`)).message.message).toBe(
      'The API is switched off on this server.',
    );
  });

  test('shows a token only the tools and lists of its scopes', async () => {
    const shown = async (scopes: readonly string[]) => {
      const { message } = await mcp.send(LIST, await mcp.panel.token({ scopes }));
      return message.result.tools as { name: string; description: string; inputSchema: object }[];
    };
    const names = async (scopes: readonly string[]) => (await shown(scopes)).map(({ name }) => name);
    expect(await names(['platform.read'])).toEqual(['panel_server']);
    expect(await names(['profile.read'])).toEqual([]);
    expect(await names(['settings.read'])).toEqual(['panel_overview', 'panel_list', 'panel_count']);
    const tools = await shown(['domains.read', 'platform.read']);
    expect(tools.map(({ name }) => name)).toEqual(TOOLS);
    expect(JSON.stringify(tools)).toMatch(/"enum":\["domains"\]/);
    expect(JSON.stringify(tools)).not.toMatch(/\\naccounts:/);
  });

  test('names the lists of its scopes alone to a token that asks for one that does not exist', async () => {
    const own = await mcp.panel.token({ scopes: ['domains.read', 'settings.read'] });
    for (const args of [{ list: 'acounts' }, {}])
      expect((await mcp.call('panel_list', args, own)).refusal).toBe(
        'list must be one of domains, settings.',
      );
    const nothing = await mcp.panel.token({ scopes: ['profile.read'] });
    expect((await mcp.call('panel_list', {}, nothing)).refusal).toMatch(/lacks the scope accounts\.read/);
  });

  test('names no field to count by of a list that has none', async () => {
    const own = await mcp.panel.token({ scopes: ['settings.read'] });
    expect((await mcp.call('panel_count', { list: 'settings', by: 'nope' }, own)).refusal).toBe(
      'by must be left out for this list.',
    );
  });

  test('refuses a tool and a list beyond the scopes as an error of the tool, and logs why', async () => {
    const own = await mcp.panel.token({ scopes: ['domains.read'] });
    const before = (await mcp.panel.requestLines(0)).length;
    const { refusal } = await mcp.call('panel_list', { list: 'backups' }, own);
    expect(refusal).toBe(
      'This token lacks the scope backups.read. With profile.read, me.php shows what a token may do. An administrator of the panel can create a token with backups.read.',
    );
    expect((await mcp.call('panel_server', {}, own)).refusal).toMatch(/lacks the scope platform\.read/);
    const nothing = await mcp.panel.token({ scopes: ['profile.read'] });
    expect((await mcp.call('panel_overview', {}, nothing)).refusal).toMatch(/lacks the scope accounts\.read/);
    expect((await mcp.call('panel_overview', {}, own)).data.lists).toEqual([
      { list: 'domains', rows: 1, by: 'status', counts: [{ value: 'active', rows: 1 }] },
    ]);
    const line = (await mcp.panel.requestLines(before + 1))[before];
    expect(line?.fields).toMatchObject({ status: 200, error_code: 'scope_missing', tool: 'panel_list' });
  });

  test('shows a token of one account its own rows, and nothing of the server', async () => {
    const { knex } = database;
    await knex('accounts').insert({
      id: 2,
      username: 'bert',
      status: 'active',
      created_at: '2026-06-12 00:00:00',
    });
    const domain = { type: 'primary', ssl_status: 'active', status: 'active', account_id: 2 };
    await knex('domains').insert({ id: 2, domain: 'shop.bert.example', ...domain });
    const own = await mcp.panel.token({ scopes: ['*'], accountId: 2 });
    const answers = [
      await mcp.call('panel_overview', {}, own),
      await mcp.call('panel_find', { name: 'shop' }, own),
      await mcp.call('panel_list', { list: 'domains', where: { account_id: [1, 2] } }, own),
      await mcp.call('panel_list', { list: 'accounts' }, own),
      await mcp.call('panel_count', { list: 'domains' }, own),
    ];
    expect(answers.map(({ refusal }) => refusal)).toEqual(answers.map(() => null));
    const texts = answers.map(({ text }) => text).join('');
    expect(texts).toContain('shop.bert.example');
    expect(texts).not.toMatch(/shop\.example|anna/);
    expect(answers[4]?.data.rows).toBe(1);
    expect((await mcp.call('panel_server', {}, own)).refusal).toMatch(/bound to one account|account/);
    const { message } = await mcp.send(LIST, own);
    expect(message.result.tools.map(({ name }: { name: string }) => name)).not.toContain('panel_server');
    await knex('domains').where({ id: 2 }).delete();
    await knex('accounts').where({ id: 2 }).delete();
  });

  test('answers an unknown tool and an unknown method with errors of the protocol', async () => {
    expect((await mcp.send(toolCall('panel_delete'), token)).message.error.code).toBe(-32602);
    for (const method of ['resources/read', 'prompts/get', 'constructor'])
      expect((await mcp.send({ ...LIST, method }, token)).message.error.code).toBe(-32601);
    expect((await mcp.send({ ...COUNT, params: { arguments: {} } }, token)).message.error.code).toBe(-32602);
  });

  test('survives a client that leaves in the middle of its message, and logs it', async () => {
    const before = (await mcp.panel.requestLines(0)).length;
    const { port } = new URL(mcp.url);
    const socket = connectSocket(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    const head = `POST /mcp HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
    socket.write(`${head}Content-Length: 500\r\n\r\n{"jsonrpc"`, () =>
      setTimeout(() => socket.destroy(), 50),
    );
    const line = (await mcp.panel.requestLines(before + 1))[before];
    expect(line).toMatchObject({ level: 'info', fields: { route: 'mcp', aborted: true } });
    expect((await mcp.call('panel_count', { list: 'domains' }, token)).data.rows).toBe(1);
  });

  test('lets as many of a hundred calls at once through as the limit says', async () => {
    const own = await mcp.panel.token({ scopes: ['domains.read'], rateLimit: 40 });
    const sent = await Promise.all(Array.from({ length: 100 }, () => mcp.send(COUNT, own)));
    expect(sent.filter(({ status }) => status === 200)).toHaveLength(40);
    const [refused] = sent.filter(({ status }) => status === 429);
    expect(refused?.headers.get('Retry-After')).toMatch(/^\d+$/);
    expect(sent.filter(({ status }) => status === 429)).toHaveLength(60);
  });

  test.each([
    ['without an API', { path: '/mcp' }, 'createMcp: the option api is missing.'],
    ['with something else as the API', { api: {} }, 'must be the value that createPanelApi returned'],
    [
      'with a path of the API',
      { path: '/api/v1/mcp' },
      'must be a path such as /mcp, and neither /api/v1 nor below it',
    ],
    ['with a path without a slash', { path: 'mcp' }, 'must be a path such as /mcp'],
    ['with an unknown option', { route: '/mcp' }, 'unknown option route'],
    ['without a name in hosts', { hosts: [] }, 'hosts must be host names in lower case without a port'],
    ['with a text as hosts', { hosts: 'a.example' }, 'hosts must be host names'],
    ['with a number in hosts', { hosts: [7] }, 'hosts must be host names'],
    ['with a port in hosts', { hosts: ['a.example:443'] }, 'hosts must be host names'],
    ['with an address in hosts', { hosts: ['https://a.example'] }, 'hosts must be host names'],
    ['with upper case in hosts', { hosts: ['A.example'] }, 'hosts must be host names'],
    ['with a wildcard in hosts', { hosts: ['*.example'] }, 'hosts must be host names'],
    ['with two hosts in one text', { hosts: ['a.example,b.example'] }, 'hosts must be host names'],
    ['with a symbol in hosts', { hosts: [Symbol('host')] }, 'hosts must be host names'],
  ])('is not mounted %s', (_, options, message) => {
    const api = createPanelApi({ db: database.knex, logger: recordingLogger().logger });
    const given = message.includes('missing') ? options : { api, ...options };
    expect(() => createMcp(given as never)).toThrow(message);
  });

  test('reads a message that a body parser of the panel has parsed, at a path of its own', async () => {
    const app = new Koa();
    app.use(async (ctx, next) => {
      if (ctx.method === 'POST') {
        const chunks: Buffer[] = [];
        for await (const chunk of ctx.req) chunks.push(chunk);
        Object.assign(ctx.request, { body: JSON.parse(Buffer.concat(chunks).toString()) });
      }
      return next();
    });
    const parsed = await startAssistantsPanel({ db: database.knex }, { path: '/tools/panel' }, app);
    expect((await parsed.call('panel_count', { list: 'domains' }, token)).data.rows).toBe(1);
    expect((await parsed.send([COUNT], token)).status).toBe(400);
    expect((await parsed.send({ ...COUNT, pad: 'x'.repeat(65_536) }, token)).status).toBe(413);
  });

  test('answers a panel that is not Koa by its handler, and leaves other paths to it', async () => {
    const api = createPanelApi({
      db: database.knex,
      logger: recordingLogger().logger,
      enabled: true,
      deadlineMs: PATIENT_MS,
    });
    const handle = createMcp({ api }).handler();
    const server = createServer((request, response) => {
      if (!handle(request, response)) response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closeAtEnd(() => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = await connectClient(`${url}/mcp`, token, 'modern');
    const { structuredContent } = await client.callTool({
      name: 'panel_count',
      arguments: { list: 'domains' },
    });
    expect(structuredContent).toEqual({ list: 'domains', rows: 1 });
    expect((await fetch(`${url}/mcp/other`)).status).toBe(204);
  });
});
