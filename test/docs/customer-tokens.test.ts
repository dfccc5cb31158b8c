import { compileFunction } from 'node:vm';
import Koa from 'koa';
import * as panelApi from '../../index';
import { freshDatabase } from '../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../fixture/panel';
import { Page } from './Page';

const page = new Page('docs/how-to/customer-tokens.md');

/** The middleware of the page, as it is written there. */
function customerTokens(): (api: object, accountOf: (ctx: Koa.Context) => unknown) => Koa.Middleware {
  const text = page.blocks.find(({ info }) => info === 'js customer-tokens.js')?.text ?? '';
  const load = (name: string) => (name === 'koa-panel-api' ? panelApi : require(name));
  const file = { exports: {} };
  compileFunction(text, ['require', 'module'])(load, file);
  return file.exports as ReturnType<typeof customerTokens>;
}

describe("The page of a customer's tokens", () => {
  let panel: TestPanel;

  beforeAll(async () => {
    const app = new Koa();
    let middleware: Koa.Middleware | undefined;
    app.use((ctx, next) => (middleware ? middleware(ctx, next) : next()));
    panel = await startPanel({ db: (await freshDatabase('sqlite')).knex }, app);
    const accounts: Readonly<Record<string, object>> = {
      anna: { id: 7, username: 'anna' },
      bert: { id: 8, username: 'bert' },
    };
    middleware = customerTokens()(panel.api, (ctx) => accounts[ctx.get('X-Customer')] ?? null);
  });

  const ask = async (customer: string, path = '', fields?: string, site = 'same-origin') => {
    const response = await fetch(`${panel.url}/my/tokens${path}`, {
      redirect: 'manual',
      headers: { 'X-Customer': customer, 'Sec-Fetch-Site': site },
      ...(fields === undefined ? {} : { method: 'POST', body: fields }),
    });
    return { status: response.status, text: await response.text() };
  };

  test('creates a token of the own account, with an end and the allowed scopes alone', async () => {
    const form = 'name=%3Cb%3E&scope=domains.read&scope=*&scope=accounts.read&days=9999&accountId=8';
    const { status, text } = await ask('anna', '', form);
    const [token] = /pnl_[0-9A-Za-z]{46}/.exec(text) ?? [];
    const record = await panel.api.tokens.find(String(token));
    expect([status, record]).toEqual([
      200,
      expect.objectContaining({ name: '<b>', accountId: '7', scopes: ['domains.read'], createdBy: 'anna' }),
    ]);
    expect(record!.expiresAt! - record!.createdAt).toBe(30 * 86_400);
    expect(text).toContain('&#60;b&#62;');
    expect((await ask('anna')).text).not.toContain(token);
    expect((await ask('anna', '', 'name=x')).text).toContain('A token needs at least one scope.');
  });

  test('offers what the settings allow', async () => {
    await panel.api.settings.change({ maxExpiryDays: 60 }, AUTHOR);
    const { text } = await ask('anna');
    expect([...text.matchAll(/<option>(\d+)/g)].map(([, days]) => days)).toEqual(['30', '60']);
    expect((await ask('anna', '', 'name=y&scope=ssl.read&days=60')).status).toBe(200);
  });

  test("shows and ends no other customer's token", async () => {
    const { record } = await panel.api.tokens.create(
      { name: 'Of Bert', scopes: ['ssl.read'], accountId: 8 },
      AUTHOR,
    );
    const general = await panel.api.tokens.create({ name: 'Of all', scopes: ['*'] }, AUTHOR);
    const both = { name: 'Of both', scopes: ['*'], accountIds: [7, 8] };
    const shared = await panel.api.tokens.create(both, AUTHOR);
    expect((await ask('anna')).text).not.toContain('Of ');
    for (const id of [record.id, general.record.id, shared.record.id, 999, '1e0', 'x'])
      expect([id, (await ask('anna', `/${id}/revoke`, '')).status]).toEqual([id, 404]);
    expect((await ask('bert', `/${record.id}/revoke`, '', 'cross-site')).status).toBe(403);
    expect((await ask('carla')).status).toBe(403);
    expect((await panel.api.tokens.get(record.id))?.state).toBe('active');
    expect((await ask('bert', `/${record.id}/revoke`, '')).status).toBe(303);
    expect(await panel.api.tokens.get(record.id)).toMatchObject({ state: 'revoked', revokedBy: 'bert' });
  });
});
