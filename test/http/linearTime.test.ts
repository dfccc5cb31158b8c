import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import Koa, { type Middleware } from 'koa';
import { main } from '../../bin/main';
import { cleaned } from '../../bin/monitor/report';
import { createClient } from '../../client';
import { parseExactJson } from '../../client/parseExactJson';
import { createApiSection, createMcp, createPanelApi } from '../../index';
import { checkAddresses, isAllowed } from '../../lib/addresses/addresses';
import { clientAddress } from '../../lib/addresses/requestOrigin';
import { DatabaseFailure } from '../../lib/database/DatabaseFailure';
import { printable } from '../../lib/errors/printable';
import { spelledBeginnings, spellingsOf } from '../../lib/fields/domainNames';
import { domainName, emailAddress } from '../../lib/fields/forms';
import { bytes, flag, number, readNames, text } from '../../lib/fields/scalars';
import { timeReader } from '../../lib/fields/times';
import { splitValues } from '../../lib/lists/filterValues';
import { causeFacts } from '../../lib/log/PanelLog';
import { containsCredential, hideCredentials, looksLikeCredential } from '../../lib/masking/credentials';
import { maskCommand } from '../../lib/masking/maskCommand';
import { requestId } from '../../lib/requests/ApiRequest';
import { FRACTION, plainResult } from '../../lib/sources/mapping/results';
import { parseMounts } from '../../lib/system/disks';
import { osName, parseMeminfo } from '../../lib/system/serverHealth';
import { readUnits } from '../../lib/system/systemd';
import { isTokenShaped, withoutTokens } from '../../lib/tokens/tokenFormat';
import { baseName } from '../../routes/backups';
import { nextRun } from '../../routes/cron';
import { userNames } from '../../routes/databases';
import { readSetting } from '../../routes/settings';
import { csvRow } from '../../section/csv';
import { html } from '../../section/html';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { memoryTerminal } from '../fixture/command/memoryTerminal';
import { freshDatabase } from '../fixture/databases';
import { AUTHOR, PATIENT_MS } from '../fixture/panel';
import { createFilledTables } from '../fixture/panelTables';
import { recordingLogger } from '../fixture/recordingLogger';

const LENGTH = 65_536;

/** Linear time is at most a fifth of it for a text of this length, quadratic time at least twice as long. */
const MOST_MS = 250;

const filled = (piece: string, before = '', after = '') =>
  before + piece.repeat(Math.floor((LENGTH - before.length - after.length) / piece.length)) + after;

/** Texts of which an expression may begin at each character, or divide a part in many ways. */
const TEXTS = [
  ...Array.from('aA0/ "\'\\=.,;:-+@%&({[|', (piece) => filled(piece)),
  ...Array.from('a0/ "\\=;', (piece) => filled(piece, 'a', '!x')),
  ...['\t', '\n', ' \n', '\r', '\0', 'é', '`', '<'].map((piece) => filled(piece, 'x', 'x')),
  ...['a-', 'a.', 'a,', 'a:', 'a=', 'a"', "a'", '"a', '"",', '""', '\\"', '-\\"\\', '"\\', '1:', '1 '].map(
    (piece) => filled(piece),
  ),
  ...['://', '://a:', '://a:b', '"M:', '=a:', '-----BEGIN ', '-----END ', 'bearer ', 'a_1'].map((piece) =>
    filled(piece),
  ),
  ...['aa0aaaaaa', 'A1b2', '$(', '${', '$a', '&a', '\\\n', ' - no such table: ', '[1', 'xn--a.'].map(
    (piece) => filled(piece),
  ),
  filled('s', 'b.', '.'),
  filled('s', 'b.', '_'),
  // Apart from case, it is also a mark.
  filled('ι', 'b.', '_'),
  filled(' ', '2026-01-01', 'x'),
  filled('0', '1.', 'x'),
  filled('/', '', 'x'),
  filled(' as', 'a'),
];

const reader = (field: { reader(): (raw: unknown) => unknown }) => field.reader();

const FUNCTIONS: Readonly<Record<string, (given: string) => unknown>> = {
  'the address of a client': (ip) => clientAddress({ ip }),
  'an address in a list': (address) => isAllowed(address, ['192.0.2.0/24', '2001:db8::/32']),
  'allowed addresses': (address) => checkAddresses([address]),
  'an id of a request': (id) => requestId(id, 'pnl'),
  'a token': isTokenShaped,
  'a text with tokens': (given) => withoutTokens(given, 'pnl'),
  'the values of a filter': (values) => splitValues('name', values),
  'a name in two spellings': spellingsOf,
  'the beginning of a name': spelledBeginnings,
  'a domain name': (name) => domainName(text('')).form?.has(name),
  'an email address': (name) => emailAddress(text('')).form?.has(name),
  'a list of names': (names) => readNames(names),
  'a flag': reader(flag('')),
  'a number': reader(number('')),
  'a size': reader(bytes('')),
  'a time': timeReader(undefined),
  'a day': timeReader('date'),
  'a time in a format': timeReader('DD.MM.YYYY hh:mm'),
  'a schedule': (schedule) => nextRun(schedule, new Date()),
  'a command': maskCommand,
  'the name of a setting': looksLikeCredential,
  'the value of a setting': containsCredential,
  'a setting': (value) => readSetting({ key: 'a', type: 'list', value }),
  'a free text': hideCredentials,
  'the path of a backup': baseName,
  'the name of a database account': (account) => userNames([account]),
  'the mounts of the machine': parseMounts,
  'the memory of the machine': parseMeminfo,
  'the name of the system': osName,
  'the units of the machine': (output) => readUnits(['nginx'], async () => output),
  'the message of a database': (message) => DatabaseFailure.from('test', new Error(message)),
  'the frames of an error': (stack) => causeFacts(Object.assign(new Error('x'), { stack: `x${stack}` })),
  'a text of the log': (given) => printable(given, LENGTH),
  'a cell of CSV': (cell) => csvRow([cell]),
  'a text of a page': (given) => html`${given}`.text,
  'an argument of the command': (word) => main([word], memoryTerminal().terminal),
  'the address of the panel': (path) =>
    createClient({ baseUrl: `https://panel.example/${path}`, token: 'x' }),
  'an answer that is no JSON': (answer) => parseExactJson(`9999999999999999${answer}`),
  'a text of JSON': (answer) => parseExactJson(`["${answer}",9999999999999999]`),
  'a text in the output of check_panel': cleaned,
  'the id of a row of a function': (id) => FRACTION.test(id),
  'a number of a data layer': (text) => plainResult({ toJSON: () => text }, 'bytes', () => undefined),
};

describe('The time that a text from outside takes is linear', () => {
  test.each(Object.entries(FUNCTIONS))('for %s', async (_what, read) => {
    for (const given of TEXTS) {
      const ms = await cpuMs(async () => read(given));
      expect([given.slice(0, 32), given.slice(-8), ms < MOST_MS || ms]).toEqual([
        given.slice(0, 32),
        given.slice(-8),
        true,
      ]);
    }
  });
});

const HEADERS = [
  'X-Forwarded-Prefix',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'Forwarded',
  'Authorization',
  'If-None-Match',
  'Accept',
  'Accept-Language',
  'User-Agent',
  'X-Request-Id',
  'Host',
  'Origin',
  'Cookie',
  'Sec-Fetch-Site',
  'Content-Type',
  'Expect',
  'MCP-Protocol-Version',
];
const PATHS = ['/api/v1/domains.php?limit=1', '/mcp', '/admin/tokens'];
const QUERIES = [
  ...['status', 'search', 'cursor', 'limit', 'order', 'fields', 'updated_since', 'sum', 'count'].map(
    (name) => `/api/v1/domains.php?${name}=*`,
  ),
  '/api/v1/domains.php?*',
  '/api/v1/*',
  '/admin/tokens?search=*',
  '/admin/audit?actor=*',
  '/admin/tokens/*/revoke',
  '/admin/*',
  ...['name', 'note', 'addresses', 'account', 'expiry'].map((field) => `/admin/tokens/new?${field}=*`),
];

describe('The time that a request takes is linear', () => {
  let send: (method: string, path: string, headers?: Record<string, string>, body?: string) => Promise<void>;

  beforeAll(async () => {
    const { knex } = await freshDatabase('sqlite');
    await createFilledTables(knex);
    const limits = { rateLimit: { requests: 1_000_000 }, deadlineMs: PATIENT_MS };
    const { logger } = recordingLogger();
    const api = createPanelApi({ db: knex, logger, enabled: true, ...limits });
    await api.settings.change({ assistantsEnabled: true, httpsRequired: false }, AUTHOR);
    const { token } = await api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR);
    const app = Object.assign(new Koa(), { proxy: true, maxIpsCount: 1, silent: true });
    const section = createApiSection({ api, authorize: () => 'ann', prefix: '/admin' });
    for (const part of [api, createMcp({ api }), section]) app.use(part.routes() as Middleware);
    const server = createServer({ maxHeaderSize: 4 * LENGTH }, app.callback()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closeAtEnd(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    send = async (method, path, given = {}, body = '') => {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...given };
      const sent = request({ port, method, path, headers, maxHeaderSize: 4 * LENGTH });
      const [response] = await once(sent.end(body), 'response');
      await textOf(response);
    };
  });

  const sendable = TEXTS.filter((given) => /^[\t\x20-\x7e]+$/.test(given));

  test.each(PATHS.flatMap((path) => HEADERS.map((name) => [name, path])))(
    'for the header %s of %s',
    async (name, path) => {
      const method = path === '/mcp' ? 'POST' : 'GET';
      for (const given of sendable) {
        const ms = await cpuMs(() => send(method, path, { [name]: `x${given}x` }, '{}'));
        expect([given.slice(0, 32), ms < MOST_MS || ms]).toEqual([given.slice(0, 32), true]);
      }
    },
  );

  test.each(QUERIES)('for a text in %s', async (url) => {
    for (const given of TEXTS) {
      for (const written of [encodeURIComponent(given).slice(0, LENGTH), given.replaceAll(/[^!-~]/g, '+')]) {
        const ms = await cpuMs(() =>
          send(
            'GET',
            url.replace('*', () => written),
          ),
        );
        expect([given.slice(0, 32), ms < MOST_MS || ms]).toEqual([given.slice(0, 32), true]);
      }
    }
  });

  test.each(['fields', 'filters', 'search', 'kind'])('for the argument %s of a tool', async (argument) => {
    for (const given of TEXTS) {
      const params = {
        name: 'panel_list',
        arguments: { list: 'domains', [argument]: given.slice(0, 32_000) },
      };
      const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      const ms = await cpuMs(() =>
        send('POST', '/mcp', { Accept: 'application/json, text/event-stream' }, message),
      );
      expect([given.slice(0, 32), ms < MOST_MS || ms]).toEqual([given.slice(0, 32), true]);
    }
  });
});

/**
 * The time of the processor that a task takes in this process, which other processes do not lengthen. Errors count too. It
 * is measured again if it is long: only the first run loads code, and few runs collect garbage.
 */
async function cpuMs(task: () => Promise<unknown>, tries = 3): Promise<number> {
  const before = process.cpuUsage();
  await task().catch(() => undefined);
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1000;
  return ms < MOST_MS || tries === 1 ? ms : cpuMs(task, tries - 1);
}
