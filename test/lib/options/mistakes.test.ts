import { main } from '../../../bin/main';
import { createClient } from '../../../client';
import {
  createAccountSection,
  createApiSection,
  createMcp,
  createMetrics,
  createPanelApi,
} from '../../../index';
import { memoryTerminal } from '../../fixture/command/memoryTerminal';
import { freshDatabase } from '../../fixture/databases';
import { AUTHOR, PATIENT_MS } from '../../fixture/panel';
import { recordingLogger } from '../../fixture/recordingLogger';

let mount: (options: object) => unknown;
let api: ReturnType<typeof createPanelApi>;

beforeAll(async () => {
  const { knex: db } = await freshDatabase('sqlite');
  const { logger } = recordingLogger();
  mount = (options) => createPanelApi({ db, logger, ...options } as never);
  api = createPanelApi({ db, logger, deadlineMs: PATIENT_MS });
  await api.settings.change({ enabled: true }, AUTHOR);
});

const source = (domains: unknown) => () => mount({ sources: { domains } });
const fields = (described: object) => source({ fields: described });
const token = (request: object) => () =>
  api.tokens.create({ name: 'x', scopes: ['*'], ...request } as never, AUTHOR);
const client = (options: object) => () =>
  createClient({ baseUrl: 'https://panel.example', token: 'x', ...options } as never);
const command =
  (...words: readonly string[]) =>
  async () => {
    const { terminal, written } = memoryTerminal({ cwd: '/', env: {} });
    await main(words, terminal);
    throw new Error(written.stderr.trim());
  };

// Each message names what is wrong, its place, and what to write instead. `…` stands for the rest of a list.
test.each<[() => unknown, string]>([
  [() => mount({ default: {} }), 'createPanelApi got a module: pass its default export.'],
  [() => mount({ sourcs: {} }), 'createPanelApi: unknown option sourcs. Did you mean sources?'],
  [() => mount({ ratelimit: {} }), 'createPanelApi: unknown option ratelimit. Did you mean rateLimit?'],
  [
    () => mount({ prefix: 'acme' }),
    'createPanelApi: unknown option prefix. Did you mean tokenPrefix or tablePrefix?',
  ],
  [() => mount({ https: true }), 'createPanelApi: unknown option https. Possible: db, readDb, …'],
  [
    () => mount({ rateLimit: { request: 60 } }),
    'createPanelApi: unknown option rateLimit.request. Did you mean requests?',
  ],
  [
    () => mount({ rateLimit: { max: 60 } }),
    'createPanelApi: unknown option rateLimit.max. Possible: requests, windowSeconds, …',
  ],
  [
    () => mount({ rateLimit: { fallback: 'memroy' } }),
    "createPanelApi: the option rateLimit.fallback must be 'none', 'memory' or 'database'.",
  ],
  [() => mount({ enabled: 'true' }), 'createPanelApi: the option enabled must be a boolean or a function.'],
  [
    () => mount({ sources: { domain: {} } }),
    'createPanelApi: unknown option sources.domain. Did you mean domains?',
  ],
  [
    () => mount({ sources: { mailboxes: {} } }),
    'createPanelApi: unknown option sources.mailboxes. Possible: accounts, domains, …',
  ],
  [source({ tabel: 'domain' }), 'createPanelApi: unknown option sources.domains.tabel. Did you mean table?'],
  [source({ feilds: {} }), 'createPanelApi: unknown option sources.domains.feilds. Did you mean fields?'],
  [
    source({ rows: () => [], feilds: ['id'] }),
    'createPanelApi: unknown option sources.domains.feilds. Did you mean fields?',
  ],
  [
    () => mount({ loger: {}, logger: undefined }),
    'createPanelApi: unknown option loger. Did you mean logger?',
  ],
  [
    fields({ domian: 'name' }),
    'createPanelApi: unknown option sources.domains.fields.domian. Did you mean domain?',
  ],
  [
    fields({ owner: 'user_id' }),
    'createPanelApi: unknown option sources.domains.fields.owner. Possible: id, domain, …',
  ],
  [
    fields({ status: { colum: 'active' } }),
    'createPanelApi: unknown option sources.domains.fields.status.colum. Did you mean column?',
  ],
  [
    fields({ status: { column: 'active', valeus: {} } }),
    'createPanelApi: unknown option sources.domains.fields.status.valeus. Did you mean values?',
  ],
  [
    fields({ type: { column: 'kind', value: { a: 'primary' } } }),
    'createPanelApi: the option sources.domains.fields.type.value is an object: a mapping is called `values`.',
  ],
  [
    () => mount({ sources: { services: { unit: [{ unit: 'nginx' }] } } }),
    'createPanelApi: unknown option sources.services.unit. Did you mean units?',
  ],
  [
    () => mount({ sources: { services: [{ units: [{ unit: 'nginx' }] }] } }),
    'createPanelApi: the option sources.services.0.units must be the only member of an object that is in no array.',
  ],
  [
    source({ units: [] }),
    'createPanelApi: unknown option sources.domains.units. Possible: table, fields, where, orders, uniqueIds.',
  ],
  [
    () => mount({ sources: { accounts: { fields: { mailbox_count: { cont: 'email' } } } } }),
    'createPanelApi: unknown option sources.accounts.fields.mailbox_count.cont. Did you mean count?',
  ],
  [
    () => mount({ sources: { jobs: { fields: { attempts: { cont: 'email' } } } } }),
    'createPanelApi: unknown option sources.jobs.fields.attempts.cont. Possible: column, null, confirm, from, values, otherwise.',
  ],
  [
    fields({ created_at: { column: 'created', timezone: 'UTC' } }),
    'createPanelApi: unknown option sources.domains.fields.created_at.timezone. Did you mean time or zone?',
  ],
  [
    fields({ created_at: { column: 'created', time: 'unix_ms' } }),
    'createPanelApi: the option sources.domains.fields.created_at.time must be unix, unix-ms, date, datetime or a format of YYYY, MM, DD, hh, mm and ss, such as DD.MM.YYYY hh:mm.',
  ],
  [
    () => mount({ sources: { accounts: { fields: { disk_used_bytes: { unit: 'Mb' } } } } }),
    'createPanelApi: the option sources.accounts.fields.disk_used_bytes.unit must be one of KB, MB, GB, TB, text. Did you mean MB?',
  ],
  [
    source({ rows: () => [], fields: ['id', 'domian'] }),
    'createPanelApi: the option sources.domains.fields.1 must be one of id, domain, type, ssl_status, status, account_id, parent_id, website_id, dns_managed, dnssec_enabled, mail_enabled, registration_expires_at, created_at, updated_at. Did you mean domain?',
  ],
  [
    token({ nam: 'billing' }),
    'Unknown property nam. Did you mean name? A new token may have only name, note, …',
  ],
  [token({ scopes: ['domain.read'] }), 'Unknown scope "domain.read". Did you mean domains.read?'],
  [token({ scopes: ['write'] }), 'Unknown scope "write". The scopes are profile.read, accounts.read, …'],
  [
    token({ expires: 5 }),
    'Unknown property expires. Did you mean expiresAt or expiresInSeconds? A new token may have only name, note, …',
  ],
  [
    () => api.tokens.page({ limt: 5 } as never),
    'Unknown property limt. Did you mean limit? A page of tokens may have only limit, cursor, …',
  ],
  [
    () => api.settings.change({ ratelimit: 5 } as never, AUTHOR),
    'Unknown setting "ratelimit". Did you mean rateLimitRequests or rateLimitWindowSeconds?',
  ],
  [
    () => createApiSection({ api, authorise: () => 'ann' } as never),
    'createApiSection: unknown option authorise. Did you mean authorize?',
  ],
  [
    () => createAccountSection({ api, acount: () => 1 } as never),
    'createAccountSection: unknown option acount. Did you mean account?',
  ],
  [
    () => createMetrics({ api, pth: '/metrics' } as never),
    'createMetrics: unknown option pth. Did you mean path?',
  ],
  [
    () => createMcp({ api, host: ['a.example'] } as never),
    'createMcp: unknown option host. Did you mean hosts?',
  ],
  [client({ baseURL: 'x' }), 'Unknown option baseURL. The options can only be baseUrl, token, …'],
  [client({ timeout: 5 }), 'Unknown option timeout. The options can only be baseUrl, token, …'],
  [command('token', 'list', '--scop', 'x'), "error: unknown option '--scop'\n(Did you mean --scope?)"],
  [command('tokn', 'list'), "error: unknown command 'tokn'\n(Did you mean token?)"],
  [command('show', 'domain'), 'Unknown list "domain". Did you mean domains?'],
  [command('settings', 'set', 'enable', 'true'), 'Unknown setting "enable". Did you mean enabled?'],
])('A mistake in an option is answered with its remedy: %s', async (use, expected) => {
  const mistake = await Promise.resolve()
    .then(use)
    .then(
      () => 'no error',
      ({ message }: Error) => message,
    );
  const [beginning = '', rest] = expected.split('…');
  expect(rest === undefined ? mistake : mistake.slice(0, beginning.length)).toBe(beginning);
});
