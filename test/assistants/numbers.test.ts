import Koa from 'koa';
import { type AssistantsPanel, startAssistantsPanel } from '../fixture/assistants/assistantsPanel';
import { describeEachEngine, freshDatabase } from '../fixture/databases';

// As a number, each of two neighbours is the other one.
const BERT = '725653563933458433';
const CARL = '725653563933458432';

const call = (tool: string, args: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":${args}}}`;

describeEachEngine('Numbers beyond 2^53 of assistants', (engine) => {
  let door: AssistantsPanel;
  let token: string;

  beforeAll(async () => {
    const { knex } = await freshDatabase(engine);
    await knex.schema.createTable('accounts', (table) => {
      table.bigInteger('id').primary();
      for (const name of ['username', 'status', 'role']) table.string(name);
      table.bigInteger('disk_used_bytes');
    });
    await knex.schema.createTable('domains', (table) => {
      table.increments('id');
      for (const name of ['domain', 'type', 'ssl_status', 'status']) table.string(name);
      table.bigInteger('account_id');
    });
    for (const [id, username] of [
      [CARL, 'carl'],
      [BERT, 'bert'],
    ]) {
      const shared = { status: 'active' };
      await knex('accounts').insert({ id, username, ...shared, role: 'customer', disk_used_bytes: id });
      const domain = { domain: `${username}.example`, type: 'primary', ssl_status: 'none', account_id: id };
      await knex('domains').insert({ ...domain, ...shared });
    }
    door = await startAssistantsPanel({ db: knex });
    token = await door.panel.token();
  });

  /** Sends the text of the arguments as it is, because JavaScript cannot write these numbers. */
  async function data(tool: string, args: string) {
    return (await door.send(call(tool, args), token)).message.result.structuredContent;
  }

  test.each([
    ['a number', `{"account_id":${BERT}}`],
    ['a text', `{"account_id":"${BERT}"}`],
    ['numbers in an array', `{"account_id":[5,${BERT}]}`],
    ['a number within an object that is written as text', JSON.stringify(`{"account_id":${BERT}}`)],
    ['numbers within an array that is written as text', `{"account_id":"[5,${BERT}]"}`],
  ])('select the rows of one account alone, as %s', async (_form, where) => {
    const { items } = await data('panel_list', `{"list":"domains","where":${where}}`);
    expect(items).toMatchObject([{ domain: 'bert.example', account_id: BERT }]);
    expect((await data('panel_count', `{"list":"domains","where":${where}}`)).rows).toBe(1);
  });

  test('bound a range exactly', async () => {
    const { items } = await data('panel_list', `{"list":"accounts","where":{"disk_used_bytes_min":${BERT}}}`);
    expect(items).toMatchObject([{ username: 'bert' }]);
  });

  test('leave in an answer with all their digits, also those of a sum and of a search', async () => {
    const { items } = await data('panel_list', '{"list":"accounts","fields":["id","disk_used_bytes"]}');
    expect(items).toEqual([CARL, BERT].map((id) => ({ id, disk_used_bytes: id })));
    const { sums } = await data('panel_count', '{"list":"accounts","sum":["disk_used_bytes"]}');
    expect(sums.disk_used_bytes).toBe(String(BigInt(BERT) + BigInt(CARL)));
    const { found } = await data('panel_find', '{"name":"bert"}');
    expect(found.map(({ items: [row] }: { items: object[] }) => row)).toMatchObject([
      { id: BERT },
      { account_id: BERT },
    ]);
  });

  test('lead a cursor from one row to its neighbour', async () => {
    const first = await data('panel_list', '{"list":"accounts","limit":1}');
    const next = await data('panel_list', `{"list":"accounts","limit":1,"cursor":"${first.next_cursor}"}`);
    expect([first, next].map(({ items: [{ id }] }) => id)).toEqual([CARL, BERT]);
  });
});

describe('A number that is not exact', () => {
  let door: AssistantsPanel;
  let token: string;

  beforeAll(async () => {
    const { knex } = await freshDatabase('sqlite');
    await knex.schema.createTable('domains', (table) => {
      table.increments('id');
      for (const name of ['domain', 'type', 'ssl_status', 'status']) table.string(name);
      table.bigInteger('account_id');
    });
    const app = new Koa();
    // A parser of the panel's rounds numbers if the test asks for it.
    app.use(async (ctx, next) => {
      const parser = ctx.get('X-Parser');
      if (parser === '') return next();
      const chunks: Buffer[] = [];
      for await (const chunk of ctx.req) chunks.push(chunk);
      const rawBody = Buffer.concat(chunks).toString();
      Object.assign(ctx.request, { body: JSON.parse(rawBody), ...(parser === 'keeps' && { rawBody }) });
      return next();
    });
    door = await startAssistantsPanel({ db: knex }, {}, app);
    token = await door.panel.token();
  });

  const where = (id: string) => call('panel_list', `{"list":"domains","where":{"account_id":${id}}}`);

  test.each([
    ['read by a parser that keeps no text', BERT, { 'X-Parser': 'rounds' }],
    ['in an array', `[1,${BERT}]`, { 'X-Parser': 'rounds' }],
    ['with a fraction', `${BERT}.0`, {}],
    ['with an exponent', '7.25653563933458433e17', {}],
    ['larger than any', '1e400', {}],
  ])('is refused as a filter: %s', async (_what, id, headers) => {
    const { message } = await door.send(where(id), token, { headers });
    expect(message.result.content[0].text).toBe(
      'account_id must be written as a text, because a number this large is not exact.',
    );
  });

  test('is read from the text that a parser keeps', async () => {
    const { message } = await door.send(where(BERT), token, { headers: { 'X-Parser': 'keeps' } });
    expect(message.result.structuredContent.items).toEqual([]);
  });

  test.each([
    ['1', '1'],
    ['-5', '-5'],
    ['9007199254740991', '9007199254740991'],
    ['"9007199254740993"', '"9007199254740993"'],
    ['"a\u2028 { b"', '"a\u2028 { b"'],
    ['9007199254740993', null],
    ['-9007199254740993', null],
    ['9007199254740993.0', null],
    ['1e300', null],
  ])('is never the id of an answer: %s', async (id, sent) => {
    const message = `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
    for (const headers of [{}, { 'X-Parser': 'rounds' }] as Record<string, string>[]) {
      const { status, text } = await door.send(message, token, { headers });
      const [, echoed] = /"id":("[^"]*"|[^,}]*)/.exec(text) ?? [];
      expect([status, echoed]).toEqual(sent === null ? [400, 'null'] : [200, sent]);
    }
  });

  test('in a text that is no JSON takes no long time to be refused', async () => {
    // Each takes seconds if every quote is tried as the beginning of a text.
    for (let count = 0; count < 20; count += 1) {
      const { status } = await door.send(`"1234567890123456${'\\"'.repeat(32_000)}`, token);
      expect(status).toBe(400);
    }
  });

  test('is no reason to give up on a message that is nested too deeply', async () => {
    const params = `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
    const { status, message } = await door.send(
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":${params}}`,
      token,
    );
    expect([status, message.error.message]).toEqual([
      400,
      'The body is not valid JSON, or is nested too deeply.',
    ]);
  });
});
