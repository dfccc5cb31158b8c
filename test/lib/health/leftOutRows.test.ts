import type { Knex } from 'knex';
import type { Sources } from '../../../index';
import { checkSources } from '../../fixture/command/checkSources';
import { describeEachEngine, describeOneEngine } from '../../fixture/databases';
import { sourcePanels } from '../../fixture/sources/sourcePanels';

const constants = { status: { value: 'active' } } as const;

describeEachEngine('A join that drops rows', (engine) => {
  const panels = sourcePanels(engine);
  const codes = ['dropped_rows'];

  /** Sites of which some have no customer. */
  const fill = async (sites: number, orphans: number) => {
    const customers = Array.from({ length: sites }, (_, index) => ({ cid: index + 1, login: `c${index}` }));
    await panels.table('customer', { cid: 'integer', login: 'string' }, customers);
    const rows = customers.map(({ cid }) => ({
      host: `h${cid}.example`,
      owner: cid <= orphans ? null : cid,
      kind: cid % 2,
    }));
    await panels.table('site', { host: 'string', owner: 'integer', kind: 'integer' }, rows);
  };

  const found = async (query: (knex: Knex) => unknown, more: object = {}, key: unknown = 's.id') => {
    const websites = { query, fields: { id: key, domain: 's.host', ...constants }, ...more };
    const [list] = (await checkSources({ db: panels.knex, sources: { websites } as Sources })).filter(
      ({ resource }) => resource === 'websites',
    );
    expect(list).toMatchObject({ state: 'served' });
    return list?.warnings.filter(({ code }) => codes.includes(code));
  };

  const joined = (knex: Knex) => knex('site as s').join('customer as c', 'c.cid', 's.owner');

  test.each<[what: string, query: (knex: Knex) => Knex.QueryBuilder, more?: object]>([
    ['is named', joined],
    ['is named from the other table', (knex) => knex('customer as c').join('site as s', 'c.cid', 's.owner')],
    [
      'is named beside a condition',
      (knex) => joined(knex).where('s.host', '<>', 'h9.example'),
      { rows: '18 of 19' },
    ],
    ['is named beside a `where`', joined, { where: { 's.host': { not: 'h9.example' } }, rows: '18 of 19' }],
    [
      'is named in raw SQL',
      (knex) => knex.from(knex.raw('(select x.* from site as x join customer as c on c.cid = x.owner) as s')),
    ],
    [
      'is named beside a join of a condition',
      (knex) =>
        joined(knex).whereIn(
          's.id',
          knex('site as z').select('z.id').join('customer as d', 'd.cid', 'z.owner'),
        ),
    ],
  ])('%s', async (what, query, { rows = '19 of 20', ...more }: { rows?: string } = {}) => {
    await fill(20, 1);
    // The condition leaves the other row out, too.
    const isMeant = what.includes('join of a condition');
    expect(await found(query, more)).toEqual(
      isMeant
        ? []
        : [
            {
              code: 'dropped_rows',
              field: 'id',
              sentence: `The list has ${rows} rows of site, because a join finds nothing for the others: use a left join, or leave them out with a condition.`,
            },
          ],
    );
  });

  test.each<[what: string, query: (knex: Knex) => Knex.QueryBuilder]>([
    ['a left join', (knex) => knex('site as s').leftJoin('customer as c', 'c.cid', 's.owner')],
    ['a condition that leaves the same rows out', (knex) => joined(knex).whereNotNull('s.owner')],
    [
      'a condition on the joined table',
      (knex) => knex('site as s').leftJoin('customer as c', 'c.cid', 's.owner').whereNotNull('c.cid'),
    ],
    ['a group', (knex) => joined(knex).groupBy('s.id', 's.host')],
  ])('is not seen in %s', async (_, query) => {
    await fill(20, 1);
    expect(await found(query)).toEqual([]);
  });

  test('is meant if it drops more than a quarter of the rows, or if the key confirms it', async () => {
    await fill(20, 6);
    expect(await found(joined)).toEqual([]);
    await panels.knex('site').where({ id: 6 }).update({ owner: 6 });
    expect(await found(joined)).toHaveLength(1);
    expect(await found(joined, {}, { column: 's.id', confirm: true })).toEqual([]);
  });
});

describeOneEngine('A mark of deletion', (engine) => {
  const panels = sourcePanels(engine);
  const marksIn = async (websites: object) =>
    (await checkSources({ db: panels.knex, sources: { websites } as Sources }))
      .flatMap(({ warnings }) => warnings)
      .filter(({ code }) => code === 'deleted_rows')
      .map(({ sentence }) => /The column (\S+) /.exec(sentence)?.[1]);

  const rowsWith = (names: readonly string[]) => {
    const marked = Object.fromEntries(names.map((name) => [name, '1']));
    const plain = Object.fromEntries(names.map((name) => [name, null]));
    return [marked, plain].map((row, index) => ({ domain: `${'ab'[index]}.example`, ...row }));
  };
  const table = async (name: string, marks: readonly string[]) =>
    panels.table(
      name,
      { domain: 'string', ...Object.fromEntries(marks.map((mark) => [mark, 'string' as const])) },
      rowsWith(marks),
    );

  test('is known by the form of its name', async () => {
    const marks = [
      'deleted_at',
      'deletedOn',
      'is_deleted',
      'isdeleted',
      'soft_deleted',
      'removed',
      'archived_on',
      'trashed',
      'accounts_deleted_ts',
      'site_archived_at',
      'date_deleted',
      'del_flag',
    ];
    const others = [
      'removed_count',
      'deleted_by',
      'files_deleted',
      'last_deleted_at',
      'undeleted_at',
      'not_deleted',
      'deletion_reason',
      'auto_deleted_at',
      'archived_path',
      'logs_purged_at',
      'fileDeletedAt',
      'avatar_removed_on',
      'old_cert_removed_at',
    ];
    await table('sites', [...marks, ...others]);
    expect(await marksIn({ table: 'sites', fields: constants })).toEqual(marks);
  });

  test('is looked for in all tables of a query, and in its raw SQL', async () => {
    await table('sites', []);
    await table('states', ['is_deleted']);
    const fields = { id: 's.id', domain: 's.domain', ...constants };
    const query = (knex: Knex) => knex('sites as s').leftJoin('states as t', 't.id', 's.id');
    expect(await marksIn({ query, fields })).toEqual(['t.is_deleted']);
    const raw = (knex: Knex) => knex.from(knex.raw('(select * from states) as s'));
    expect(await marksIn({ query: raw, fields })).toEqual(['is_deleted']);
    // Whatever it keeps: the source looks at the mark.
    expect(await marksIn({ query, fields, where: { 't.is_deleted': { not: 9 } } })).toEqual([]);
  });
});

describeOneEngine('An empty text', (engine) => {
  const panels = sourcePanels(engine);

  test('is no unmapped word of an optional field, which is then null, but one of a field that is always present', async () => {
    const rows = ['ready', ''].map((word) => ({ type: 'backup', state: word, target: word }));
    await panels.table('tasks', { type: 'string', state: 'string', target: 'string' }, rows);
    const fields = {
      status: { column: 'state', values: { ready: 'queued' } },
      target_type: { column: 'target', values: { ready: 'domain' } },
    };
    const found = await checkSources({
      db: panels.knex,
      sources: { jobs: { table: 'tasks', fields } } as Sources,
    });
    const unmapped = found.flatMap(({ warnings }) => warnings).filter(({ code }) => code === 'unmapped');
    expect(unmapped.map(({ field }) => field)).toEqual(['status']);
  });
});
