import Koa from 'koa';
import { newToken } from '../../lib/tokens/tokenFormat';
import { operations } from '../../routes';
import { HOUR } from '../fixture/awayFromHourEnd';
import { describeOneEngine, freshDatabase, type TestDatabase } from '../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../fixture/panel';
import { createFilledTables } from '../fixture/panelTables';
import '../fixture/tryAgain';

const HOME = '127.0.0.1';
const OUTSIDE = '203.0.113.5';

type Panels = 'usual' | 'off' | 'broken';

/** The bearer of a request, and the id of the token if there is one. */
interface Bearer {
  readonly bearer: string | null;
  readonly id?: number;
}

interface Asked {
  readonly bearer: () => Promise<Bearer>;
  /** The name of the endpoint. */
  readonly of: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly address?: string;
  readonly panel?: Panels;
}

describeOneEngine('A request of an endpoint', (engine) => {
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

  /** The outcome of a request: its answer, its line in the log, and the counts and the last use of its token. */
  const outcome = async ({ bearer, of, parameters = {}, address = HOME, panel: which = 'usual' }: Asked) => {
    const { usual, [which]: panel } = panels;
    const who = await bearer();
    const before = (await panel.requestLines(0)).length;
    const path = `/api/v1/${of}.php?${new URLSearchParams(parameters)}`;
    const headers = { 'X-Seen-From': address };
    const { body } = await panel.get(path, who.bearer ?? undefined, { headers });
    const line = (await panel.requestLines(before + 1))[before];
    await panel.api.usage.flush();
    await usual.api.usage.flush();
    const id = who.id ?? 0;
    return {
      body,
      level: line?.level,
      line: { ...line?.fields },
      hits: (await database.knex('panel_api_rate_limits').where({ token_id: id }).pluck('hits')).map(Number),
      uses: (await usual.api.usage.ofToken(id)).map(({ day: _day, lastAt: _lastAt, ...use }) => use),
      noted: (await usual.api.tokens.get(id))?.lastUsedAt !== null,
    };
  };

  const noToken = async (): Promise<Bearer> => ({ bearer: null });
  const unknown = (bearer: string) => async (): Promise<Bearer> => ({ bearer });

  test.each<[code: string, Asked]>([
    ['api_disabled', { bearer: noToken, of: 'domains', panel: 'off' }],
    ['unavailable', { bearer: token(), of: 'domains', panel: 'broken' }],
    ['https_required', { bearer: token(), of: 'domains', address: OUTSIDE }],
    ['token_missing', { bearer: noToken, of: 'domains' }],
    ['token_unknown', { bearer: unknown('nonsense'), of: 'domains' }],
    ['token_unknown', { bearer: unknown(newToken('pnl')), of: 'domains' }],
    ['token_expired', { bearer: token({}, { expires_at: 1000 }), of: 'domains' }],
    ['token_revoked', { bearer: revoked, of: 'domains' }],
    ['ip_not_allowed', { bearer: token({ allowedAddresses: [OUTSIDE] }), of: 'domains' }],
  ])('is refused with %s, and neither counted nor used', async (code, asked) => {
    const { body, line, hits, uses } = await outcome(asked);
    expect([body.error.code, line.error_code, hits, uses]).toEqual([code, code, [], []]);
  });

  test.each<[code: string, Asked]>([
    ['rate_limited', { bearer: usedUp, of: 'domains' }],
    ['account_forbidden', { bearer: token({ accountId: 1 }), of: 'health' }],
    ['account_forbidden', { bearer: token({ accountId: 1 }), of: 'settings' }],
    ['resource_unavailable', { bearer: token(), of: 'cron' }],
    ['query_invalid', { bearer: token(), of: 'domains', parameters: { limit: '0' } }],
    ['query_invalid', { bearer: token(), of: 'domains', parameters: { nonsense: '1' } }],
    ['query_invalid', { bearer: token(), of: 'me', parameters: { limit: '1' } }],
    ...operations.map((refused): [string, Asked] => [
      'scope_missing',
      {
        bearer: token({
          scopes: operations.map(({ scope }) => scope).filter((scope) => scope !== refused.scope),
        }),
        of: refused.name,
      },
    ]),
  ])('is refused with %s, and counted and used', async (code, asked) => {
    const { body, line, hits, uses, noted } = await outcome(asked);
    expect([body.error.code, line.error_code, hits.length, noted]).toEqual([code, code, 1, true]);
    const statusClass = code === 'resource_unavailable' ? 5 : 4;
    expect(uses).toContainEqual({ endpoint: asked.of, statusClass, requests: 1 });
  });

  test.each<[string, Asked]>([
    ['the last page of a list', { bearer: token(), of: 'domains', parameters: { limit: '1' } }],
    [
      'a page with a next one',
      { bearer: token(), of: 'jobs', parameters: { limit: '1', status: 'queued,running' } },
    ],
    [
      'the rows of an account',
      { bearer: token({ accountId: 1 }), of: 'domains', parameters: { limit: '5' } },
    ],
    ['an object', { bearer: token(), of: 'openapi' }],
  ])('returns %s, and is counted and used', async (_what, asked) => {
    const { body, level, line, hits, uses, noted } = await outcome(asked);
    expect(body.success).toBe(true);
    expect([line.status, line.error_code, level, hits, noted]).toEqual([200, null, 'info', [1], true]);
    expect(uses).toEqual([{ endpoint: asked.of, statusClass: 2, requests: 1 }]);
  });

  test('is logged and counted without its name if there is no such endpoint', async () => {
    const bearer = token();
    const { body, line, uses } = await outcome({ bearer, of: `${newToken('pnl')}${'x'.repeat(64)}` });
    expect([body.error.code, line.route, uses]).toEqual([
      'not_found',
      null,
      [{ endpoint: 'other', statusClass: 4, requests: 1 }],
    ]);
  });
});
