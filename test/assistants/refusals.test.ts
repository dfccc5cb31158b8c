import Koa from 'koa';
import { newToken } from '../../lib/tokens/tokenFormat';
import { type AssistantsPanel, startAssistantsPanel, toolCall } from '../fixture/assistants/assistantsPanel';
import { describeOneEngine, freshDatabase, type TestDatabase } from '../fixture/databases';
import { AUTHOR } from '../fixture/panel';
import { createFilledTables } from '../fixture/panelTables';
import { withoutSeconds } from '../fixture/withoutSeconds';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const COUNT = toolCall('panel_count', { list: 'domains' });

/** How a request differs from one that is answered, by the code with which the API refuses it. */
const REFUSED: Readonly<
  Record<string, (mcp: AssistantsPanel, database: TestDatabase) => Promise<Readonly<Record<string, string>>>>
> = {
  token_missing: async () => ({}),
  token_unknown: async () => bearer(newToken('pnl')),
  token_revoked: async ({ panel }) => {
    const { token, record } = await panel.api.tokens.create({ name: 'revoked', scopes: ['*'] }, AUTHOR);
    await panel.api.tokens.revoke(record.id, AUTHOR);
    return bearer(token);
  },
  token_expired: async ({ panel }, { knex }) => {
    const { token, record } = await panel.api.tokens.create({ name: 'ended', scopes: ['*'] }, AUTHOR);
    await knex('panel_api_tokens').where({ id: record.id }).update({ expires_at: 1 });
    return bearer(token);
  },
  ip_not_allowed: async ({ panel }) => bearer(await panel.token({ allowedAddresses: ['192.0.2.7'] })),
  https_required: async ({ panel }) => ({ ...bearer(await panel.token()), 'X-Forwarded-For': '192.0.2.7' }),
  rate_limited: async ({ panel, send }) => {
    const token = await panel.token({ rateLimit: 1 });
    expect((await send(LIST, token)).status).toBe(200);
    return bearer(token);
  },
};

function bearer(token: string) {
  return { Authorization: `Bearer ${token}` };
}

describeOneEngine('Refused by the MCP server', (engine) => {
  let database: TestDatabase;
  let mcp: AssistantsPanel;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    await createFilledTables(database.knex);
    const app = new Koa({ proxy: true });
    mcp = await startAssistantsPanel({ db: database.knex }, {}, app);
  });

  test.each(Object.entries(REFUSED))('as at the API: %s', async (code, prepare) => {
    const headers = await prepare(mcp, database);
    const atApi = await fetch(`${mcp.panel.url}/api/v1/domains.php`, { headers });
    const envelope = (await atApi.json()) as { message: string; error: { code: string } };
    expect(envelope.error.code).toBe(code);
    for (const message of [LIST, COUNT, { jsonrpc: '2.0', method: 'notifications/initialized' }, []]) {
      const { status, message: refused, headers: sent } = await mcp.send(message, undefined, { headers });
      expect([status, refused.error.code, withoutSeconds(refused.message)]).toEqual([
        atApi.status,
        code,
        withoutSeconds(envelope.message),
      ]);
      expect(sent.get('WWW-Authenticate')).toBe(atApi.headers.get('WWW-Authenticate'));
      expect(sent.has('Retry-After')).toBe(atApi.headers.has('Retry-After'));
    }
  });

  test('as at the API: the accounts of a token that are suspended or gone', async () => {
    const { knex } = database;
    await knex('accounts').insert({
      id: 5,
      username: 'eve',
      status: 'active',
      created_at: '2026-06-12 00:00:00',
    });
    const token = await mcp.panel.token({ scopes: ['*'], accountId: 5 });
    await knex('accounts').where({ id: 5 }).update({ status: 'suspended' });
    expect((await mcp.call('panel_list', { list: 'domains' }, token)).refusal).toMatch(/suspended/);
    await knex('accounts').where({ id: 5 }).delete();
    expect((await mcp.call('panel_overview', {}, token)).refusal).toMatch(/account/);
  });

  test('as at the API: a database that fails', async () => {
    const { knex } = database;
    await knex.schema.renameTable('panel_api_tokens', 'elsewhere');
    const { status, message } = await mcp.send(COUNT, newToken('pnl'));
    await knex.schema.renameTable('elsewhere', 'panel_api_tokens');
    expect([status, message.error.code]).toEqual([503, 'unavailable']);
  });
});
