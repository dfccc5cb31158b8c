import type { Knex } from 'knex';
import Koa from 'koa';
import type { Field } from '../../../lib/fields';
import type { Operation } from '../../../lib/fields/Operation';
import { operations } from '../../../routes';
import { type Engine, freshDatabase } from '../../fixture/databases';
import { pathOf } from '../../fixture/listPanel';
import { startPanel, type TestPanel } from '../../fixture/panel';
import { createFilledTables, SHOWN_SETTINGS } from '../../fixture/panelTables';
import { providePrograms } from '../../steps/providePrograms';
import { figure } from '../figure';
import { isWhole } from '../scale';
import { type Attack, attack, type Verdict } from './sqlmap';

const ENGINES: readonly Engine[] = isWhole ? ['mariadb', 'postgresql', 'sqlite'] : ['mariadb'];
const DBMS: Readonly<Record<Engine, string>> = {
  mariadb: 'mysql',
  postgresql: 'postgresql',
  sqlite: 'sqlite',
};

/** Lists that are read from tables; the fast slice attacks the first. */
const LISTS: readonly Operation[] = operations
  .filter(({ kind, name }) => kind === 'list' && name !== 'services')
  .toSorted(({ name }) => (name === 'domains' ? -1 : 1))
  .slice(0, isWhole ? undefined : 1);

/** Parameters of every kind, which are attacked with all that sqlmap has: on one engine, because it takes minutes. */
const DEEP_ENGINE = 'mariadb';
const DEEPLY = isWhole
  ? ['domain', 'status', 'account_id', 'search', 'created_at_since', 'order', 'fields', 'cursor', 'count']
  : [];
const ALL = { level: 5, risk: 3 };
const USUAL = { level: 1, risk: 1 };

/** Ends of ranges that contain every row. */
const ENDS = { since: '2000-01-01', before: '2100-01-01', min: '-1000000', max: '1000000000000' };

/** How many attacks run at the same time. */
const AT_ONCE = 2;

describe.each(ENGINES)('sqlmap (%s)', (engine) => {
  let panel: TestPanel;
  let token: string;

  beforeAll(async () => {
    await providePrograms([{ programs: ['sqlmap'], debianPackages: ['sqlmap'] }]);
    const { knex } = await freshDatabase(engine);
    await createFilledTables(knex);
    for (const { name, fields } of LISTS) await fill(knex, name, fields);
    // For a second page.
    await knex('domains').insert({ domain: 'other.example' });
    const app = new Koa();
    app.use(async (ctx, next) => {
      if (ctx.path === '/broken') ctx.body = await brokenList(knex, String(ctx.query.domain));
      else await next();
    });
    app.silent = true;
    const sources = { settings: { keys: SHOWN_SETTINGS } };
    panel = await startPanel({ db: knex, sources, rateLimit: { requests: 10_000_000 } }, app);
    token = await panel.token();
  });

  const attackAt = (path: string, more: Partial<Attack> = {}): Promise<Verdict> =>
    attack({ url: panel.url + path, token, dbms: DBMS[engine], ...USUAL, ...more });

  test('finds the hole of a route beside the module', async () => {
    expect(await attackAt('/broken?domain=shop.example')).toEqual({ open: ['domain'], closed: [] });
  });

  test('finds no parameter, token or path through which SQL reaches the database', async () => {
    const places = new Map<string, () => Promise<Verdict>>();
    for (const operation of LISTS) {
      for (const query of await queriesOf(operation)) {
        const path = `/api/v1/${pathOf(operation.name, query)}`;
        // Only the answer to a query that finds something differs from that to one that finds nothing.
        const { status, body } = await panel.get(path, token);
        const found = status === 200 && (body.data.total ?? body.data.items.length) > 0;
        expect([path, found]).toEqual([path, true]);
        places.set(`${operation.name}: ${Object.keys(query).join(' ')}`, () => attackAt(path));
        const isDeep = engine === DEEP_ENGINE && operation.name === 'domains';
        const deep = isDeep ? DEEPLY.filter((name) => name in query) : [];
        for (const name of deep)
          places.set(`domains: ${name}`, () => attackAt(path, { ...ALL, parameters: [name] }));
      }
    }
    places.set('token: Authorization', () => attackAt('/api/v1/me.php', { token: `${token}*` }));
    places.set('path: path', () => attackAt('/api/v1/me*.php'));

    const verdicts = new Map<string, Verdict>();
    const waiting = [...places];
    const work = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) verdicts.set(next[0], await next[1]());
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const expected = [...places.keys()].map((place) => [
      place,
      { open: [], closed: place.replace(/^.*: /, '').split(' ').toSorted() },
    ]);
    const judged = [...places.keys()].map((place) => {
      const { open, closed } = verdicts.get(place)!;
      return [place, { open, closed: closed.toSorted() }];
    });
    expect(judged).toEqual(expected);
    const attacked = [...verdicts.values()].reduce((sum, { closed }) => sum + closed.length, 0);
    figure(`${engine}: places that sqlmap attacked`, attacked);
    figure(`${engine}: requests of sqlmap that reached the module`, panel.log.length);
  });

  /** Queries that together have all parameters of a list, and each of which finds a row. */
  async function queriesOf({ name, fields }: Operation): Promise<readonly Record<string, string>[]> {
    const refused = await panel.get(`/api/v1/${name}.php?__proto__=`, token);
    const supported: readonly string[] = refused.body.error.supported;
    const { items, next_cursor } = (await panel.get(`/api/v1/${name}.php?limit=1`, token)).body.data;
    const named = (test: (field: Field) => boolean) => Object.keys(fields).find((one) => test(fields[one]!))!;
    const known: Readonly<Record<string, () => string>> = {
      limit: () => '1',
      order: () => 'desc',
      fields: () => Object.keys(fields)[0]!,
      search: () => items[0][named(({ searchable }) => searchable === true)],
      cursor: () => next_cursor,
      count: () => 'true',
      sum: () => named(({ kind }) => kind === 'bytes'),
    };
    const textOf = (parameter: string) => {
      if (parameter in known) return known[parameter]!();
      const end = /_(since|before|min|max)$/.exec(parameter)?.[1];
      return end ? ENDS[end as keyof typeof ENDS] : String(items[0][parameter]);
    };
    const apart = [['count', 'sum'], next_cursor === null ? [] : ['cursor', 'limit']];
    const together = supported.filter((one) => one !== 'cursor' && !apart[0]!.includes(one));
    return [together, ...apart.map((names) => names.filter((one) => supported.includes(one)))]
      .filter((names) => names.length > 0)
      .map((names) => Object.fromEntries(names.map((one) => [one, textOf(one)])));
  }
});

/** Puts a value into every column whose field would be null in the first row. */
async function fill(knex: Knex, table: string, fields: Operation['fields']): Promise<void> {
  const columns = await knex(table).columnInfo();
  const values = { text: 'x', word: 'x', list: 'x', flag: true, time: '2026-06-12 00:00:00' };
  const [row] = await knex(table).limit(1);
  const empty = Object.keys(fields).filter(
    (name) => name in columns && (row[name] === null || row[name] < 0),
  );
  const given = empty.map((name) => [name, values[fields[name]!.kind as 'text'] ?? 1]);
  if (given.length > 0) await knex(table).update(Object.fromEntries(given));
}

/** What a route must not do. */
async function brokenList(knex: Knex, domain: string): Promise<unknown> {
  return {
    items: await knex('domains')
      .select('domain')
      .whereRaw(`domain = '${domain.replaceAll('?', '\\?')}'`),
  };
}
