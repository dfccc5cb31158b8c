import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import Koa from 'koa';
import { createApiSection } from '../../index';
import type { ApiSectionOptions } from '../../section/createApiSection';
import {
  hiddenFields,
  SECTION,
  type SectionPanel,
  shownToken,
  startSectionPanel,
} from '../fixture/section/sectionPanel';
import '../fixture/tryAgain';

const never = () => new Promise<never>(() => undefined);
/** A test of a page that never answers fails then. */
const HANGS_MS = 60_000;
const CREATE = ['tokens/review?name=x&scope=*', 'tokens'] as const;

describe('With a panel that misbehaves, the API section', () => {
  const start = (options: Partial<ApiSectionOptions>, mount = {}) =>
    startSectionPanel('sqlite', mount, options);

  test('shows the created token in its own frame if the layout never settles', async () => {
    const { send, panel } = await start({ layout: never });
    const { status, text } = await send(...CREATE);
    expect([status, shownToken(text)]).toEqual([200, expect.any(String)]);
    expect(panel.log.some(({ message }) => message === 'panel-api section layout failed')).toBe(true);
  });

  test(
    'answers 503 with its headers if authorize never settles',
    async () => {
      const { get } = await start({ authorize: never }, { deadlineMs: 500 });
      const { status, headers, text } = await get('tokens');
      expect([status, headers.get('X-Frame-Options')]).toEqual([503, 'DENY']);
      expect(text).not.toContain('Tokens');
    },
    HANGS_MS,
  );

  test.each<[string, unknown]>([
    ['an error', new Error('secret-72')],
    ['null', null],
    [
      'an error that passes itself off as a page',
      Object.assign(new Error('secret-72'), { status: 200, expose: true }),
    ],
    [
      'an error that cannot be read',
      new Proxy(new Error('secret-72'), {
        get: () => {
          throw new Error('secret-72');
        },
      }),
    ],
  ])('answers 500 with its headers and logs it if authorize throws %s', async (_what, thrown) => {
    const { get, panel } = await start({
      authorize: () => {
        throw thrown;
      },
    });
    const { status, headers, text } = await get('tokens');
    expect([status, headers.get('X-Frame-Options')]).toEqual([500, 'DENY']);
    expect(text + JSON.stringify(panel.log)).not.toContain('secret-72');
    expect(panel.log.some(({ message }) => message === 'panel-api section failed')).toBe(true);
  });

  test('leaves a refusal that authorize throws to the panel', async () => {
    const { get } = await start({ authorize: (ctx) => ctx.throw(401, 'Sign in first.') });
    const { status, text } = await get('tokens');
    expect([status, text]).toEqual([401, 'Sign in first.']);
  });

  test('answers 503 if its statements together take longer than the deadline', async () => {
    const { get, panel } = await start({}, { deadlineMs: 500 });
    jest.spyOn(panel.api.tokens, 'pageAndCounts').mockImplementation(never);
    const { status, text } = await get('tokens');
    expect([status, text.includes('Try again later.')]).toEqual([503, true]);
  });

  test.each([
    '/\t/evil.example',
    '/\n/evil.example',
    '/ /evil.example',
    '//evil.example',
    '/\\evil.example',
    'https://',
  ])('refuses the link back %j', async (back) => {
    const { panel } = await start({});
    expect(() => createApiSection({ api: panel.api, authorize: () => 'ann', back })).toThrow(/option back/);
  });

  test.each([
    'https://panel.example/$(id)',
    'https://panel.example/`id`',
    'https://panel.example/;id',
    'https://panel.example/&id',
    'https://$(id)/',
    'https://a b/',
    'https://panel.example/a\nb',
    'https://user@panel.example',
  ])('refuses the address of the API %j, which would go into a shell', async (apiUrl) => {
    const { panel } = await start({});
    expect(() => createApiSection({ api: panel.api, authorize: () => 'ann', apiUrl })).toThrow(
      /option apiUrl/,
    );
  });

  test.each([
    'https://panel.example',
    'http://[2001:db8::1]:8080/api-proxy/',
    'https://panel.example:8443/a.b/~c',
  ])('accepts the address of the API %s', async (apiUrl) => {
    const { panel } = await start({});
    expect(() => createApiSection({ api: panel.api, authorize: () => 'ann', apiUrl })).not.toThrow();
  });
});

describe('Behind a proxy, the API section', () => {
  test.each([
    [0, true],
    [1, false],
  ])(
    'with app.maxIpsCount = %i, says that clients can forge their address: %s',
    async (maxIpsCount, says) => {
      const section = await startSectionPanel('sqlite');
      const app = Object.assign(new Koa(), { proxy: true, maxIpsCount });
      app.use(createApiSection({ api: section.panel.api, authorize: () => 'ann' }).routes());
      const server = app.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tokens/new`;
      const text = await (await fetch(url, { headers: { 'X-Forwarded-For': '203.0.113.5' } })).text();
      expect(text.includes('app.maxIpsCount')).toBe(says);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  );
});

describe('A form that is too long', () => {
  let section: SectionPanel;

  beforeAll(async () => {
    section = await startSectionPanel('sqlite');
  });

  test('is answered with 413 although the client reads nothing before it has sent everything', async () => {
    const { hostname, port } = new URL(section.panel.url);
    const socket = connect(Number(port), hostname).pause();
    await once(socket, 'connect');
    const pieces = Array.from({ length: 20 }, () => 'x'.repeat(50_000));
    const head = [
      `POST ${SECTION}/tokens HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      'Cookie: admin=ann',
      'Sec-Fetch-Site: same-origin',
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${pieces.join('').length}`,
      'Connection: close',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    for (const piece of pieces) {
      socket.write(piece);
      await setTimeout(5);
    }
    expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('creates nothing', async () => {
    const page = await section.get('tokens/review?name=x&scope=*');
    const fields = Object.fromEntries(hiddenFields(page.text, 'tokens'));
    await section.send(...CREATE, { ...fields, name: 'x'.repeat(100_000) });
    expect(await section.panel.api.tokens.list()).toEqual([]);
  });
});
