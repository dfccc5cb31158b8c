import { compileFunction } from 'node:vm';
import Koa from 'koa';
import { responseHeaders } from '../../lib/openapi/responses';
import { freshDatabase } from '../fixture/databases';
import { startPanel } from '../fixture/panel';
import { createPanelTables } from '../fixture/panelTables';
import { Page } from './Page';

const page = new Page('docs/how-to/other-clients.md');
const [middleware = ''] = page.blocks.filter(({ info }) => info === 'js').map(({ text }) => text);

test('the middleware of docs/how-to/other-clients.md lets one page of another origin read all that it needs', async () => {
  const app = new Koa();
  compileFunction(middleware, ['app'])(app);
  const { knex } = await freshDatabase('sqlite');
  await createPanelTables(knex, ['domains']);
  for (const id of [1, 2]) await knex('domains').insert({ id, domain: `${id}.example` });
  const panel = await startPanel({ db: knex }, app);
  const url = `${panel.url}/api/v1/domains.php?limit=1`;
  const ask = async (origin: string, init: RequestInit = {}) =>
    fetch(url, { ...init, headers: { ...init.headers, Origin: origin } });

  const asked = await ask('https://dashboard.example', { method: 'OPTIONS' });
  expect([asked.status, asked.headers.get('access-control-allow-headers')]).toEqual([
    204,
    'Authorization, If-None-Match',
  ]);
  const headers = { Authorization: `Bearer ${await panel.token({ expiresInSeconds: 86_400 })}` };
  const read = await ask('https://dashboard.example', { headers });
  expect([read.status, read.headers.get('access-control-allow-origin')]).toEqual([
    200,
    'https://dashboard.example',
  ]);
  // Every header of the answer that a browser hides by default, except those that mean nothing to the page.
  const hidden = [...read.headers.keys()].filter(
    (name) => !/^(?:access-|cache-|cdn-|content-|connection|date|keep-alive|vary|x-content)/.test(name),
  );
  const exposed = read.headers.get('access-control-expose-headers')?.toLowerCase().split(', ');
  expect(exposed).toEqual(expect.arrayContaining(hidden));
  expect(hidden).toEqual(
    expect.arrayContaining(['etag', 'link', 'ratelimit', 'token-expires', 'x-request-id']),
  );

  // Those of refusals too. `Cache-Control` is never hidden, and `Allow` means nothing to the page.
  const { 'Cache-Control': _cache, Allow: _allow, ...declared } = responseHeaders;
  expect(exposed?.toSorted()).toEqual(
    Object.keys(declared)
      .map((name) => name.toLowerCase())
      .toSorted(),
  );

  const other = await ask('https://evil.example', { headers });
  expect(other.headers.get('access-control-allow-origin')).toBeNull();
  expect((await ask('https://evil.example', { method: 'OPTIONS' })).status).toBe(401);
});
