import Koa from 'koa';
import { ApiError } from '../../../lib/errors/ApiError';
import type { Operation } from '../../../lib/operations/Operation';
import { type FinishedRequest, RequestsUnderWay } from '../../../lib/requests/ApiRequest';
import { callOperation } from '../../../lib/requests/callOperation';
import { newToken } from '../../../lib/tokens/tokenFormat';
import { installationOf } from '../../../middleware/PanelApi';
import { operations } from '../../../routes';
import * as routes from '../../../routes/domains';
import { awayFromHourEnd, HOUR } from '../../fixture/awayFromHourEnd';
import { describeOneEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';
import { createFilledTables } from '../../fixture/panelTables';
import '../../fixture/tryAgain';

const HOME = '127.0.0.1';
const OUTSIDE = '203.0.113.5';

/** The members of a log line that belong to one request only, or only to HTTP. */
const DIFFERENT = ['request_id', 'token_id', 'method', 'bytes', 'milliseconds'];

type Panels = 'usual' | 'off' | 'broken';

/** The bearer of a request, and the id of the token if there is one. */
interface Bearer {
  readonly bearer: string | null;
  readonly id?: number;
}

/** A request that is sent over HTTP, and then without HTTP. */
interface Asked {
  readonly bearer: () => Promise<Bearer>;
  readonly operation: Operation;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly address?: string;
  readonly panel?: Panels;
}

const operation = (wanted: string): Operation => {
  const found = operations.find(({ name }) => name === wanted);
  if (!found) throw new Error(`There is no operation ${wanted}.`);
  return found;
};

describeOneEngine('An operation that is asked for without HTTP', (engine) => {
  let database: TestDatabase;
  let panels: Record<Panels, TestPanel>;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    await createFilledTables(database.knex);
    await database.knex('jobs').insert({ type: 'site.deploy', status: 'queued' });
    const start = (options: object) => {
      const app = new Koa();
      app.use((ctx, next) => {
        ctx.request.ip = ctx.get('X-Seen-From') || HOME;
        return next();
      });
      const rateLimit = { requests: 100, windowSeconds: HOUR };
      return startPanel({ db: database.knex, rateLimit, sources: { cron: false }, ...options }, app);
    };
    panels = {
      usual: await start({}),
      off: await start({ enabled: false }),
      broken: await start({ enabled: () => Promise.reject(new Error('no answer')) }),
    };
    // The first request creates the tables.
    await panels.usual.get('/api/v1/me.php');
  });

  beforeEach(awayFromHourEnd);

  const token =
    (request: object = {}, change?: object) =>
    async (): Promise<Bearer> => {
      const { token, record } = await panels.usual.api.tokens.create(
        { name: 'test', scopes: ['*'], ...request },
        AUTHOR,
      );
      if (change) await database.knex('panel_api_tokens').where({ id: record.id }).update(change);
      return { bearer: token, id: record.id };
    };

  const revoked = async (): Promise<Bearer> => {
    const made = await token()();
    await panels.usual.api.tokens.revoke(made.id as number, AUTHOR);
    return made;
  };

  const usedUp = async (): Promise<Bearer> => {
    const made = await token({ rateLimit: 1 })();
    await panels.usual.get('/api/v1/me.php', made.bearer as string);
    return made;
  };

  const installed = (panel: Panels) => {
    const installation = installationOf(panels[panel].api);
    if (!installation) throw new Error('There is no installation.');
    return installation;
  };

  const overHttp = async (
    { operation, parameters = {}, address = HOME, panel = 'usual' }: Asked,
    who: Bearer,
  ) => {
    const path = `/api/v1/${operation.name}.php?${new URLSearchParams(parameters)}`;
    const headers = { 'X-Seen-From': address };
    const { body } = await panels[panel].get(path, who.bearer ?? undefined, { headers });
    if (!body.success) return { message: body.message, ...body.error };
    const { resource: _resource, next_cursor: nextCursor, ...data } = body.data;
    return nextCursor === undefined ? data : { ...data, nextCursor };
  };

  const withoutHttp = async (
    { operation, parameters = {}, address = HOME, panel = 'usual' }: Asked,
    { bearer }: Bearer,
  ) => {
    const result = await callOperation(
      { operation, bearer, clientIp: address, secure: false, parameters },
      installed(panel),
    );
    if (result instanceof ApiError) return { message: result.message, code: result.code, ...result.details };
    return JSON.parse(JSON.stringify(result));
  };

  /** The outcome of a request: its answer, its line in the log, and the counts and the last use of its token. */
  const outcome = async (asked: Asked, ask: typeof overHttp | typeof withoutHttp) => {
    const { usual, [asked.panel ?? 'usual']: panel } = panels;
    const who = await asked.bearer();
    const before = (await panel.requestLines(0)).length;
    const answer = await ask(asked, who);
    const line = (await panel.requestLines(before + 1))[before];
    const facts = Object.entries(line?.fields ?? {}).filter(([name]) => !DIFFERENT.includes(name));
    await panel.api.usage.flush();
    await usual.api.usage.flush();
    const id = who.id ?? 0;
    return {
      answer: JSON.parse(
        JSON.stringify(answer).replace(/\b\d+ seconds|"retry_after":\d+/g, (text) =>
          text.replace(/\d+/, '1'),
        ),
      ),
      level: line?.level,
      named: line?.fields.token_id === (who.id ?? null),
      line: Object.fromEntries(facts),
      hits: (await database.knex('panel_api_rate_limits').where({ token_id: id }).pluck('hits')).map(Number),
      uses: (await usual.api.usage.ofToken(id)).map(({ day: _day, lastAt: _lastAt, ...use }) => use),
      noted: (await usual.api.tokens.get(id))?.lastUsedAt !== null,
    };
  };

  const sameBothWays = async (asked: Asked) => {
    const over = await outcome(asked, overHttp);
    expect(await outcome(asked, withoutHttp)).toEqual(over);
    return over;
  };

  const domains = operation('domains');
  const noToken = async (): Promise<Bearer> => ({ bearer: null });
  const unknown = (bearer: string) => async (): Promise<Bearer> => ({ bearer });

  test.each<[code: string, Asked]>([
    ['api_disabled', { bearer: noToken, operation: domains, panel: 'off' }],
    ['unavailable', { bearer: token(), operation: domains, panel: 'broken' }],
    ['https_required', { bearer: token(), operation: domains, address: OUTSIDE }],
    ['token_missing', { bearer: noToken, operation: domains }],
    ['token_unknown', { bearer: unknown('nonsense'), operation: domains }],
    ['token_unknown', { bearer: unknown(newToken('pnl')), operation: domains }],
    ['token_expired', { bearer: token({}, { expires_at: 1000 }), operation: domains }],
    ['token_revoked', { bearer: revoked, operation: domains }],
    ['ip_not_allowed', { bearer: token({ allowedAddresses: [OUTSIDE] }), operation: domains }],
  ])('is refused with %s as over HTTP, and neither counted nor used', async (code, asked) => {
    const { answer, line, hits, uses } = await sameBothWays(asked);
    expect([answer.code, line.error_code, hits, uses]).toEqual([code, code, [], []]);
  });

  test.each<[code: string, Asked]>([
    ['rate_limited', { bearer: usedUp, operation: domains }],
    ['account_forbidden', { bearer: token({ accountId: 1 }), operation: operation('health') }],
    ['account_forbidden', { bearer: token({ accountId: 1 }), operation: operation('settings') }],
    ['resource_unavailable', { bearer: token(), operation: operation('cron') }],
    ['query_invalid', { bearer: token(), operation: domains, parameters: { limit: '0' } }],
    ['query_invalid', { bearer: token(), operation: domains, parameters: { nonsense: '1' } }],
    ['query_invalid', { bearer: token(), operation: operation('me'), parameters: { limit: '1' } }],
    ...operations.map((refused): [string, Asked] => [
      'scope_missing',
      {
        bearer: token({
          scopes: operations.map(({ scope }) => scope).filter((scope) => scope !== refused.scope),
        }),
        operation: refused,
      },
    ]),
  ])('is refused with %s as over HTTP, and counted and used', async (code, asked) => {
    const { answer, line, hits, uses, noted } = await sameBothWays(asked);
    expect([answer.code, line.error_code, hits.length, noted]).toEqual([code, code, 1, true]);
    const statusClass = code === 'resource_unavailable' ? 5 : 4;
    expect(uses).toContainEqual({ endpoint: asked.operation.name, statusClass, requests: 1 });
  });

  test.each<[string, Asked]>([
    ['the last page of a list', { bearer: token(), operation: domains, parameters: { limit: '1' } }],
    [
      'a page with a next one',
      { bearer: token(), operation: operation('jobs'), parameters: { limit: '1', status: 'queued,running' } },
    ],
    [
      'the rows of an account',
      { bearer: token({ accountId: 1 }), operation: domains, parameters: { limit: '5' } },
    ],
    ['an object', { bearer: token(), operation: operation('openapi') }],
  ])('returns %s as over HTTP, counted and used', async (_what, asked) => {
    const { answer, level, line, hits, uses, noted } = await sameBothWays(asked);
    expect(Object.keys(answer).length).toBeGreaterThan(0);
    expect([line.status, line.error_code, level, hits, noted]).toEqual([200, null, 'info', [1], true]);
    expect(uses).toEqual([{ endpoint: asked.operation.name, statusClass: 2, requests: 1 }]);
  });

  test('reads a list by pages even if it is not asked for one, with the types of its fields', async () => {
    const { bearer } = await token()();
    const call = { operation: routes.domains, bearer, clientIp: HOME, secure: true };
    const result = await callOperation(call, installed('usual'));
    if (result instanceof ApiError) throw result;
    const names: readonly (string | undefined)[] = result.items.map(({ domain }) => domain);
    expect([names.length, result.nextCursor]).toEqual([1, null]);
  });

  test('returns the figures of a list', async () => {
    const { bearer } = await token()();
    const parameters = { count: 'status', fields: '' };
    const call = { operation: routes.domains, bearer, clientIp: HOME, secure: true };
    expect(await callOperation({ ...call, parameters }, installed('usual'))).toMatchObject({
      details: { parameter: 'fields' },
    });
    const result = await callOperation({ ...call, parameters: { count: 'true' } }, installed('usual'));
    expect(result).toEqual({ items: [], nextCursor: null, total: 1 });
  });

  test('is passed to its listeners once, and returns its result even if one throws', async () => {
    const { bearer } = await token()();
    const told: unknown[] = [];
    const listener = ({ delivery }: FinishedRequest) => {
      told.push(delivery.status);
      throw new Error('listener');
    };
    const requests = new RequestsUnderWay([listener], () => undefined);
    const call = { operation: routes.domains, bearer, clientIp: HOME, secure: true };
    const result = await callOperation(call, { ...installed('usual'), requests });
    expect([result instanceof ApiError, told]).toEqual([false, [200]]);
  });

  test('is refused, and logged and counted without its name, if the panel has no such endpoint', async () => {
    const { bearer, id } = (await token()()) as { bearer: string; id: number };
    const name = `${newToken('pnl')}${'x'.repeat(64)}`;
    const asked = { bearer: async () => ({ bearer, id }), operation: { ...domains, name } };
    const { answer, line, uses } = await outcome(asked, withoutHttp);
    expect([answer.code, line.route, uses]).toEqual([
      'not_found',
      null,
      [{ endpoint: 'other', statusClass: 4, requests: 1 }],
    ]);
  });

  /** The id in the log of a request with this id. */
  const loggedId = async (id: string) => {
    const before = (await panels.usual.requestLines(0)).length;
    const call = { operation: routes.domains, bearer: null, clientIp: HOME, secure: true, id };
    await callOperation(call, installed('usual'));
    return (await panels.usual.requestLines(before + 1))[before]?.fields.request_id;
  };

  test.each([
    ['holds a token', newToken('pnl')],
    ['is too long', 'x'.repeat(129)],
    ['has other characters', 'one\ntwo'],
    ['is empty', ''],
  ])('is logged with an id of its own if the given one %s', async (_how, id) => {
    expect(await loggedId(id)).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('is logged with the id that it is given', async () => {
    expect(await loggedId('call-1')).toBe('call-1');
  });

  test('is unavailable after the deadline, whatever it waits for', async () => {
    const enabled = () => new Promise<boolean>(() => undefined);
    const { api } = await startPanel({ db: database.knex, enabled, deadlineMs: 200 });
    const call = { operation: routes.domains, bearer: null, clientIp: HOME, secure: true };
    const result = await callOperation(call, installationOf(api) ?? installed('usual'));
    expect(result).toMatchObject({ code: 'unavailable' });
  });
});
