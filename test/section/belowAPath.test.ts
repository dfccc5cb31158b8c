import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Koa, { type Middleware } from 'koa';
import { createApiSection, createMcp } from '../../index';
import type { ApiSectionOptions } from '../../section/createApiSection';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { AUTHOR } from '../fixture/panel';
import {
  hiddenFields,
  type SectionPanel,
  shownToken,
  startSectionPanel,
} from '../fixture/section/sectionPanel';

const PREFIX = '/s';

/** The addresses of the panel that a page shows, each once. */
const urlsIn = (text: string) => [...new Set(text.match(/https?:\/\/panel\.example[^\s"'<&]*/g))].sort();

describe('Behind a proxy that serves the panel below a path, the API section', () => {
  let section: SectionPanel;

  beforeAll(async () => {
    section = await startSectionPanel('sqlite');
    await section.panel.api.settings.change({ assistantsEnabled: true }, AUTHOR);
    // With so many tokens, the overview is no longer that of a new installation.
    for (let count = 0; count < 6; count += 1) await section.panel.token();
  });

  /** Sends the request as a proxy does, to a panel that trusts it unless `proxy` is false. */
  const start = async (proxy: boolean, options: Partial<ApiSectionOptions> = {}) => {
    const app = Object.assign(new Koa(), { proxy, maxIpsCount: 1 });
    const { api } = section.panel;
    const given = { api, authorize: () => 'ann', prefix: PREFIX, ...options };
    app.use(createMcp({ api }).routes() as Middleware);
    app.use(createApiSection(given).routes() as Middleware);
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closeAtEnd(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    return (path: string, prefix: string, init: RequestInit = {}) =>
      fetch(`http://127.0.0.1:${port}${PREFIX}/${path}`, {
        redirect: 'manual',
        ...init,
        headers: {
          'X-Forwarded-Host': 'panel.example',
          'X-Forwarded-Proto': 'https',
          'X-Forwarded-For': '192.0.2.1',
          'X-Forwarded-Prefix': prefix,
          'Sec-Fetch-Site': 'same-origin',
        },
      });
  };

  const HOST = 'https://panel.example/panel';

  test.each([
    ['assistants', [`${HOST}/mcp`]],
    ['', [`${HOST}/api/v1`]],
    ['openapi.json', [HOST]],
  ])('shows addresses with the path on the page %j', async (path, urls) => {
    const get = await start(true);
    expect(urlsIn(await (await get(path, '/panel')).text())).toEqual(urls);
  });

  test('shows and requests every address of the reference with the path', async () => {
    const get = await start(true);
    const urls = urlsIn(await (await get('reference', '/panel')).text());
    expect(urls.length).toBeGreaterThan(10);
    expect(urls.filter((url) => !url.startsWith(`${HOST}/api/v1/`))).toEqual([]);
  });

  test('shows the example for a new token with the path', async () => {
    const get = await start(true);
    const page = await (await get('tokens/review?name=x&scope=*', '/panel')).text();
    const body = new URLSearchParams(hiddenFields(page, 'tokens'));
    const created = await (await get('tokens', '/panel', { method: 'POST', body })).text();
    expect(shownToken(created)).toEqual(expect.any(String));
    expect(urlsIn(created)).toEqual([
      expect.stringMatching(/^https:\/\/panel\.example\/panel\/api\/v1\/\w+\.php/),
    ]);
  });

  test('links, sends forms and redirects within its own address, whatever the path', async () => {
    const get = await start(true);
    const { record } = await section.panel.api.tokens.create({ name: 'x', scopes: ['*'] }, AUTHOR);
    for (const path of [
      '',
      'tokens',
      'tokens/new',
      `tokens/${record.id}`,
      'audit',
      'settings',
      'assistants',
    ]) {
      const text = await (await get(path, '/panel')).text();
      for (const [, link = ''] of text.matchAll(/(?:href|src|action)="([^"#]*)"/g)) {
        const { origin, pathname } = new URL(link, `${HOST}${PREFIX}/${path}`);
        expect([path, link, origin]).toEqual([path, link, 'https://panel.example']);
        expect([path, pathname.startsWith(`/panel${PREFIX}/`)]).toEqual([path, true]);
      }
    }
    const page = await (await get(`tokens/${record.id}/revoke`, '/panel')).text();
    const body = new URLSearchParams(hiddenFields(page, `tokens/${record.id}/revoke`));
    const answer = await get(`tokens/${record.id}/revoke`, '/panel', { method: 'POST', body });
    expect(answer.status).toBe(303);
    const target = new URL(
      answer.headers.get('Location') ?? '',
      `${HOST}${PREFIX}/tokens/${record.id}/revoke`,
    );
    expect(target.href).toMatch(/^https:\/\/panel\.example\/panel\/s\/tokens\//);
  });

  test('keeps its option apiUrl', async () => {
    const get = await start(true, { apiUrl: 'https://panel.example/api-proxy' });
    const text = await (await get('assistants', '/panel')).text();
    expect(urlsIn(text)).toEqual(['https://panel.example/api-proxy/mcp']);
  });

  test('has no path that a client sends to a panel that trusts no proxy', async () => {
    const get = await start(false);
    for (const path of ['', 'assistants', 'reference', 'openapi.json'])
      expect(await (await get(path, '/canary')).text()).not.toContain('canary');
  });

  test.each([
    '//canary.example',
    '/\\canary.example',
    'https://canary.example/x',
    'canary',
    '/a"><script>canary</script>',
    '/$(canary)',
    '/`canary`',
    "/';canary;'",
    '/a&canary',
    '/a b/canary',
    '/a?canary',
    '/a#canary',
    '/../../canary/<',
    '/caf\u00e9/canary',
    `/${'/'.repeat(8000)}canary`,
  ])('shows nothing of the path %j', async (prefix) => {
    const get = await start(true);
    for (const path of ['', 'assistants', 'reference', 'openapi.json'])
      expect(await (await get(path, prefix)).text()).not.toContain('canary');
  });
});
