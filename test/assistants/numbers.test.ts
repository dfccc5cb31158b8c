import { text as textOf } from 'node:stream/consumers';
import Koa from 'koa';
import { type AssistantsPanel, startAssistantsPanel } from '../fixture/assistants/assistantsPanel';
import { describeEachEngine, freshDatabase } from '../fixture/databases';
import { createPanelTables } from '../fixture/panelTables';

// As a number, each of two neighbours is the other one.
const BERT = '725653563933458433';
const CARL = '725653563933458432';

const call = (tool: string, args: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":${args}}}`;

describeEachEngine('Numbers beyond 2^53 of assistants', (engine) => {
  let mcp: AssistantsPanel;
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
    mcp = await startAssistantsPanel({ db: knex });
    token = await mcp.panel.token();
  });

  /** Sends the text of the arguments as it is, because JavaScript cannot write these numbers. */
  async function data(tool: string, args: string) {
    return (await mcp.send(call(tool, args), token)).message.result.structuredContent;
  }

  test.each([
    ['a text', `{"account_id":"${BERT}"}`],
    ['texts in an array', `{"account_id":["5","${BERT}"]}`],
    ['a text within an object that is written as text', JSON.stringify(`{"account_id":"${BERT}"}`)],
    ['texts within an array that is written as text', `{"account_id":${JSON.stringify(`["5","${BERT}"]`)}}`],
  ])('select the rows of one account alone, as %s', async (_form, where) => {
    const { items } = await data('panel_list', `{"list":"domains","where":${where}}`);
    expect(items).toMatchObject([{ domain: 'bert.example', account_id: BERT }]);
    expect((await data('panel_count', `{"list":"domains","where":${where}}`)).rows).toBe(1);
  });

  test.each([
    ['a number', `{"account_id":${BERT}}`],
    ['a negative number', `{"account_id":-${BERT}}`],
    ['a number in an array', `{"account_id":[1,${BERT}]}`],
    ['a number within an object that is written as text', JSON.stringify(`{"account_id":${BERT}}`)],
    ['a number within an array that is written as text', `{"account_id":"[5,${BERT}]"}`],
    ['a number with a fraction', `{"account_id":${BERT}.0}`],
    ['a number with an exponent', '{"account_id":7.25653563933458433e17}'],
    ['a number that is larger than any', '{"account_id":1e400}'],
  ])('are refused as %s, which programs round', async (_form, where) => {
    for (const tool of ['panel_list', 'panel_count']) {
      const { message } = await mcp.send(call(tool, `{"list":"domains","where":${where}}`), token);
      expect(message.result.content[0].text).toBe('account_id must be text with all its digits.');
    }
  });

  test('are as little read as those with a fraction, of which 8.10 would find the rows with 8.1', async () => {
    const rows = (where: string) => data('panel_list', `{"list":"accounts","where":${where}}`);
    expect(await rows('{"username":"8.10"}')).toMatchObject({ items: [] });
    expect(await rows('{"username":8}')).toMatchObject({ items: [] });
    expect(await rows('{"username":8.10}')).toBeUndefined();
  });

  test('bound a range exactly', async () => {
    const range = `{"disk_used_bytes_min":"${BERT}"}`;
    const { items } = await data('panel_list', `{"list":"accounts","where":${range}}`);
    expect(items).toMatchObject([{ username: 'bert' }]);
    const rounded = range.replaceAll(/"(?=\d)|(?<=\d)"/g, '');
    const { message } = await mcp.send(call('panel_list', `{"list":"accounts","where":${rounded}}`), token);
    expect(message.result.content[0].text).toMatch(/^disk_used_bytes_min must be text/);
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

describe('A number beyond 2^53 in a message', () => {
  let mcp: AssistantsPanel;
  let token: string;

  beforeAll(async () => {
    const { knex } = await freshDatabase('sqlite');
    await createPanelTables(knex, ['domains']);
    const app = new Koa();
    // A parser of the panel's rounds numbers if the test asks for it.
    app.use(async (ctx, next) => {
      if (ctx.get('X-Parser') !== '') Object.assign(ctx.request, { body: JSON.parse(await textOf(ctx.req)) });
      return next();
    });
    mcp = await startAssistantsPanel({ db: knex }, {}, app);
    token = await mcp.panel.token();
  });

  test('is refused if a parser of the panel has rounded it', async () => {
    const message = call('panel_list', `{"list":"domains","where":{"account_id":${BERT}}}`);
    const { message: answer } = await mcp.send(message, token, { headers: { 'X-Parser': 'yes' } });
    expect(answer.result.content[0].text).toMatch(/^account_id must be text/);
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
    for (const headers of [{}, { 'X-Parser': 'yes' }] as Record<string, string>[]) {
      const { status, text } = await mcp.send(message, token, { headers });
      const [, echoed] = /"id":("[^"]*"|[^,}]*)/.exec(text) ?? [];
      expect([status, echoed]).toEqual(sent === null ? [400, 'null'] : [200, sent]);
    }
  });
});
