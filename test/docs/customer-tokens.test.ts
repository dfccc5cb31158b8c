import { once } from 'node:events';
import { request as startRequest } from 'node:http';
import { compileFunction } from 'node:vm';
import Koa from 'koa';
import * as panelApi from '../../index';
import { freshDatabase, type TestDatabase } from '../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../fixture/panel';
import { createPanelTables } from '../fixture/panelTables';
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
  let database: TestDatabase;
  let panel: TestPanel;
  let accounts: Record<string, { id: number; username: string; createdAt?: Date | string }>;
  const CREATED = '2026-06-12T00:00:00Z';

  beforeAll(async () => {
    database = await freshDatabase('sqlite');
    await createPanelTables(database.knex);
    const account = { status: 'active', created_at: '2026-06-12 00:00:00' };
    await database.knex('accounts').insert([
      { ...account, id: 7, username: 'anna' },
      { ...account, id: 8, username: 'bert' },
    ]);
    const app = new Koa();
    let middleware: Koa.Middleware | undefined;
    app.use((ctx, next) => (middleware ? middleware(ctx, next) : next()));
    panel = await startPanel({ db: database.knex }, app);
    middleware = customerTokens()(panel.api, (ctx) => accounts[ctx.get('X-Customer')] ?? null);
  });

  beforeEach(() => {
    accounts = {
      anna: { id: 7, username: 'anna', createdAt: new Date(CREATED) },
      bert: { id: 8, username: 'bert', createdAt: new Date(CREATED) },
    };
  });

  const ask = async (customer: string, path = '', fields?: string, site = 'same-origin') => {
    const response = await fetch(`${panel.url}/my/tokens${path}`, {
      redirect: 'manual',
      headers: { 'X-Customer': customer, 'Sec-Fetch-Site': site },
      ...(fields === undefined ? {} : { method: 'POST', body: fields }),
    });
    return { status: response.status, text: await response.text(), headers: response.headers };
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

  test.each([
    ['was created later', { username: 'anna', createdAt: new Date('2026-11-01T00:00:00Z') }, false],
    ['was created later, as a text', { username: 'anna', createdAt: '2026-11-01T00:00:00+01:00' }, false],
    ['has another name, if the panel says no time', { username: 'carla' }, false],
    ['has another name and the same time', { username: 'anna2', createdAt: new Date(CREATED) }, true],
    ['has the same name, if the panel says no time', { username: 'anna' }, true],
    ['has the same time within a second', { username: 'anna', createdAt: '2026-06-12T00:00:00.700Z' }, true],
  ])('decides by more than the id whose a token is: the account %s', async (_name, account, isOwn) => {
    const request = { name: 'Of the first owner', scopes: ['ssl.read'], accountId: 7 };
    const { record } = await panel.api.tokens.create(request, AUTHOR);
    accounts.anna = { id: 7, ...account };
    expect((await ask('anna')).text.includes(`/${record.id}/revoke`)).toBe(isOwn);
    expect((await ask('anna', `/${record.id}/revoke`, '')).status).toBe(isOwn ? 303 : 404);
    expect((await panel.api.tokens.get(record.id))?.state).toBe(isOwn ? 'revoked' : 'active');
  });

  test('shows and ends the tokens of an account by its id in a panel without a list of accounts', async () => {
    const { knex } = await freshDatabase('sqlite');
    const app = new Koa();
    let middleware: Koa.Middleware | undefined;
    app.use((ctx, next) => (middleware ? middleware(ctx, next) : next()));
    const bare = await startPanel({ db: knex }, app);
    middleware = customerTokens()(bare.api, () => accounts.anna);
    const { record } = await bare.api.tokens.create({ name: 'x', scopes: ['*'], accountId: 7 }, AUTHOR);
    const page = await (await fetch(`${bare.url}/my/tokens`)).text();
    expect(page).toContain(`/${record.id}/revoke`);
  });

  test.each([
    ['with its length', { 'Content-Length': 64 * 1024 }],
    ['in chunks', { 'Transfer-Encoding': 'chunked' }],
  ])('refuses a form that is too long, before it has read it: %s', async (_name, length) => {
    const request = startRequest(`${panel.url}/my/tokens`, {
      method: 'POST',
      headers: { 'X-Customer': 'anna', 'Sec-Fetch-Site': 'same-origin', ...length },
    });
    // The rest is never sent.
    request.write('x'.repeat(32 * 1024));
    const [response] = await once(request, 'response');
    request.on('error', () => undefined).destroy();
    expect(response.statusCode).toBe(413);
  });

  test('reads a form as long as its own can be, in pieces', async () => {
    const name = '\u{1f511}'.repeat(32);
    const scopes = ['domains.read', 'websites.read', 'ssl.read', 'backups.read'];
    const form = new URLSearchParams([
      ['name', name],
      ...scopes.map((scope): [string, string] => ['scope', scope]),
    ]);
    expect((await ask('anna', '', form.toString())).text).toContain(name);
  });

  test('is shown in no frame, and as nothing but a page', async () => {
    for (const { headers } of [await ask('anna'), await ask('anna', '', 'name=x')]) {
      expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('X-Frame-Options')).toBe('DENY');
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('Cache-Control')).toBe('no-store');
    }
  });
});
