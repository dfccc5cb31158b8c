import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Context } from 'koa';
import type { AccountSectionOptions } from '../../account-section/createAccountSection';
import { createAccountSection, createPanelApi } from '../../index';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { PATIENT_MS } from '../fixture/panel';
import { recordingLogger } from '../fixture/recordingLogger';
import { ACCOUNT_SECTION, type AccountPanel, startAccountPanel } from '../fixture/section/accountPanel';
import { formFields, shownToken } from '../fixture/section/sectionPanel';

const NEW = 'tokens/new';
const FORM = { name: 'Script', scope: 'domains.read' };

describe('The account section is mounted', () => {
  let section: AccountPanel;

  beforeAll(async () => {
    section = await startAccountPanel('sqlite');
  });

  const mounted = (options: unknown) => () => createAccountSection(options as AccountSectionOptions);

  test.each<[string, object, string]>([
    ['no API', { api: undefined }, 'api'],
    ['no function that names the account', { account: undefined }, 'account'],
    ['an id in place of a function', { account: 7 }, 'account'],
    ['a wrong function that asks for the password', { fresh: true }, 'fresh'],
    ['a prefix without a slash', { prefix: 'my' }, 'prefix'],
    ['the option of the other section', { authorize: () => 'ann' }, 'authorize'],
    ['a text that does not exist', { languages: { en: { nothing: 'x' } } }, 'languages'],
  ])('not with %s: the option is named', (_what, given, option) => {
    const options = { api: section.panel.api, account: () => 7, ...given };
    expect(mounted(options)).toThrow(new RegExp(`^createAccountSection: .*\\b${option}\\b`));
  });

  test('without any effect on the pages of the panel', async () => {
    for (const path of ['/my', '/my/apix', `${ACCOUNT_SECTION}/nothing`]) {
      const { status, headers } = await fetch(section.panel.url + path);
      expect([path, status, headers.get('Content-Security-Policy')]).toEqual([path, 404, null]);
    }
  });

  test('so that the panel itself answers a person who is not signed in', async () => {
    const account = (ctx: Context) => {
      ctx.redirect('/login');
      return null;
    };
    const own = await startAccountPanel('sqlite', {}, { account });
    const { status, headers } = await own.get('tokens');
    expect([status, headers.get('Location')]).toEqual([302, '/login']);
  });

  test.each<[string, unknown]>([
    ['true', true],
    ['an object without an id', { name: 'bert' }],
    ['an id that is null', { id: null }],
    ['an id that is empty', { id: '' }],
    ['an id that is 0', { id: 0 }],
    ['a name that is too long', { id: 2, name: 'b'.repeat(129) }],
    ['a name that is no text', { id: 2, name: 7 }],
    ['an administrator who is no name', { id: 2, by: true }],
    ['a list', [2]],
  ])('so that the log says once what account must return, after it returned %s', async (_name, answer) => {
    const own = await startAccountPanel('sqlite', {}, { account: () => answer as never });
    const statuses = [(await own.get('tokens')).status, (await own.get('tokens')).status];
    expect(statuses).toEqual([403, 403]);
    expect(own.panel.log.filter(({ message }) => message.startsWith('panel-api account'))).toEqual([
      expect.objectContaining({
        message: "panel-api account must return the id of the customer's account, or null",
      }),
    ]);
  });

  test.each([null, undefined, false as const, '', 0, 0n])(
    'so that %p names no account, as the log need not say',
    async (answer) => {
      const own = await startAccountPanel('sqlite', {}, { account: () => answer });
      expect((await own.get('tokens')).status).toBe(403);
      expect(own.panel.log.filter(({ message }) => message.includes('account'))).toEqual([]);
    },
  );

  test('so that the id is the name of an account whose name is empty', async () => {
    const own = await startAccountPanel('sqlite', {}, { account: () => ({ id: 2, name: '' }) });
    expect((await own.get('tokens')).text).toContain('Signed in as 2');
  });

  test('so that an account whose id no account can have is told from a customer’s mistake', async () => {
    const own = await startAccountPanel('sqlite', {}, { account: () => 1.5 });
    expect((await own.get('tokens')).status).toBe(503);
    expect(own.panel.log.some(({ message }) => message === 'panel-api section failed')).toBe(true);
  });

  test('in a frame of the panel’s own, with the name of the customer', async () => {
    const layout: AccountSectionOptions['layout'] = ({ title, head, content, actor }) =>
      `<html><head>${head}</head><body><i>${actor}</i>${title}${content}</body></html>`;
    const own = await startAccountPanel('sqlite', {}, { layout });
    expect((await own.get('tokens')).text).toMatch(
      /<body><i>bert<\/i>Tokens<div class="api-section" lang="en">/,
    );
  });

  describe('with a function fresh', () => {
    const start = (fresh: NonNullable<AccountSectionOptions['fresh']>) =>
      startAccountPanel('sqlite', {}, { fresh });
    const stale = async (own: AccountPanel) => (await own.panel.api.tokens.list()).length;

    test('so that the form and the token need a password that was just entered', async () => {
      let isFresh = true;
      const own = await start(async () => isFresh);
      const form = (await own.get(NEW)).text;
      isFresh = false;
      const again = await own.get(NEW);
      expect([again.status, again.text]).toEqual([403, expect.stringContaining('enter your password again')]);
      const headers = { Cookie: `customer=${encodeURIComponent('2')}`, 'Sec-Fetch-Site': 'same-origin' };
      const body = new URLSearchParams([...formFields(form, NEW), ...Object.entries(FORM)]);
      const url = `${own.panel.url}${ACCOUNT_SECTION}/${NEW}`;
      const sent = await fetch(url, { method: 'POST', body, headers });
      expect([sent.status, await stale(own)]).toEqual([403, 0]);
      expect((await own.get('tokens')).status).toBe(200);
    });

    test('so that a rotation needs it too, and a revocation does not', async () => {
      let isFresh = true;
      const own = await start(() => isFresh);
      const { text } = await own.send(NEW, NEW, FORM);
      const record = (await own.panel.api.tokens.find(shownToken(text) ?? ''))!;
      isFresh = false;
      const [rotate, revoke] = ['rotate', 'revoke'].map((action) => `tokens/${record.id}/${action}`);
      expect((await own.get(rotate!)).status).toBe(403);
      expect((await own.send(revoke!, revoke!)).status).toBe(303);
    });

    test.each<[string, unknown]>([
      ['an object', {}],
      ['1', 1],
      ['nothing', undefined],
    ])('so that %s is not true', async (_name, answer) => {
      const own = await start(() => answer as never);
      expect((await own.get(NEW)).status).toBe(403);
    });

    test('so that the panel can ask for the password on a page of its own', async () => {
      const own = await start((ctx) => {
        ctx.redirect('/password');
        return false;
      });
      const { status, headers } = await own.get(NEW);
      expect([status, headers.get('Location')]).toEqual([302, '/password']);
    });

    test('so that one which fails creates no token', async () => {
      const own = await start(() => {
        throw new Error('secret-71');
      });
      const { status, text } = await own.get(NEW);
      expect([status, text.includes('secret-71')]).toEqual([500, false]);
    });
  });

  test('in a panel that is not Koa, at any path', async () => {
    const { knex } = section.database;
    const api = createPanelApi({ db: knex, logger: recordingLogger().logger, deadlineMs: PATIENT_MS });
    const account = ({ req }: Context) => (req as { user?: number }).user ?? null;
    const handle = createAccountSection({ api, account, prefix: ACCOUNT_SECTION }).handler();
    const server = http.createServer((request, response) => {
      Object.assign(request, { user: request.headers.cookie === 'session=bert' ? 2 : undefined });
      if (!handle(request, response)) response.end('the panel');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closeAtEnd(async () => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const headers = { Cookie: 'session=bert', 'Sec-Fetch-Site': 'same-origin' };
    const form = await (await fetch(`${url}${ACCOUNT_SECTION}/${NEW}`, { headers })).text();
    const body = new URLSearchParams([
      ...formFields(form, NEW).filter(([name]) => name !== 'name'),
      ...Object.entries(FORM),
    ]);
    const created = await fetch(`${url}${ACCOUNT_SECTION}/${NEW}`, { method: 'POST', body, headers });
    expect([created.status, shownToken(await created.text())]).toEqual([200, expect.any(String)]);
    expect((await fetch(`${url}${ACCOUNT_SECTION}/tokens`)).status).toBe(403);
    expect(await (await fetch(url)).text()).toBe('the panel');
  });
});
