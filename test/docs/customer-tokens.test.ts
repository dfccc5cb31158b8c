import { compileFunction } from 'node:vm';
import Koa from 'koa';
import * as panelApi from '../../index';
import { freshDatabase } from '../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../fixture/panel';
import { createFilledTables } from '../fixture/panelTables';
import { hiddenFields, shownToken } from '../fixture/section/sectionPanel';
import { Page } from './Page';

const page = new Page('docs/how-to/customer-tokens.md');

/** The fragments that mount the page: with and without the question for the password. */
const mounts = page.blocks
  .filter(({ info, text }) => info === 'js' && text.includes('createAccountSection('))
  .map(({ text }) => text.replace(/^const .* = require\(.*\n/gm, ''));

describe("The page of a customer's tokens, mounted as its how-to says", () => {
  let panel: TestPanel;
  let state: object;

  beforeAll(async () => {
    const { knex } = await freshDatabase('sqlite');
    await createFilledTables(knex);
    const account = { status: 'active', created_at: '2026-06-12 00:00:00' };
    await knex('accounts').insert({ ...account, username: 'bert' });
    const app = new Koa();
    app.use((ctx, next) => {
      Object.assign(ctx.state, state);
      return next();
    });
    panel = await startPanel({ db: knex }, app, (api) => {
      const values = { ...panelApi, api, app };
      for (const text of mounts) compileFunction(text, Object.keys(values))(...Object.values(values));
      return [];
    });
    await panel.api.settings.change({ customerScopes: ['domains.read'] }, AUTHOR);
  });

  beforeEach(() => {
    state = { account: { id: 2, username: 'bert' }, passwordAt: Date.now() };
  });

  const get = async (path: string) => {
    const response = await fetch(panel.url + path, { redirect: 'manual' });
    return {
      status: response.status,
      text: await response.text(),
      location: response.headers.get('Location'),
    };
  };

  test.each(['/my/api', '/careful/api'])('at %s creates a token of the own account', async (path) => {
    const { text } = await get(`${path}/tokens/new`);
    const body = new URLSearchParams(hiddenFields(text, 'tokens/new'));
    body.append('name', 'Script');
    body.append('scope', 'domains.read');
    const headers = { 'Sec-Fetch-Site': 'same-origin' };
    const answer = await fetch(`${panel.url}${path}/tokens/new`, { method: 'POST', body, headers });
    const record = await panel.api.tokens.find(shownToken(await answer.text()) ?? '');
    expect(record).toMatchObject({ accountId: '2', origin: 'account-section' });
  });

  test.each<[string, object, readonly string[]]>([
    [
      'a creation of the customer',
      { type: 'created', token: { accountId: '2', origin: 'account-section' } },
      ['2'],
    ],
    ['a creation of an administrator', { type: 'created', token: { accountId: '2', origin: 'cli' } }, []],
    ['a token of all accounts', { type: 'created', token: { accountId: null, origin: 'panel' } }, []],
    ['another event', { type: 'expiring', token: { accountId: '2', origin: 'account-section' } }, []],
  ])('has a listener that writes to the account only of its own creation: %s', (_what, event, written) => {
    const [, listener] = /`onTokenEvent: ([^`]+)`/.exec(page.text) ?? [];
    const mails: string[] = [];
    const parameters = ['mail', 'event'];
    compileFunction(`(${listener})(event)`, parameters)((id: string) => mails.push(id), event);
    expect(mails).toEqual(written);
  });

  test('shows nothing to a person who is not signed in', async () => {
    state = {};
    for (const path of ['/my/api/tokens', '/careful/api/tokens']) expect((await get(path)).status).toBe(403);
  });

  test('asks for a password that was entered long ago, and comes back', async () => {
    state = { ...state, passwordAt: Date.now() - 3_600_000 };
    const { status, location } = await get('/careful/api/tokens/new');
    expect([status, location]).toEqual([302, '/password?back=%2Fcareful%2Fapi%2Ftokens%2Fnew']);
    expect((await get('/careful/api/tokens')).status).toBe(200);
  });
});
