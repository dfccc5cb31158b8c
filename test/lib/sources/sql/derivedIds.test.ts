import { createHash } from 'node:crypto';
import { createClient } from '../../../../client';
import { checkSources } from '../../../fixture/command/checkSources';
import { describeEachEngine, isMysql } from '../../../fixture/databases';
import type { ColumnType } from '../../../fixture/sources/sourcePanels';
import { sourcePanels } from '../../../fixture/sources/sourcePanels';

const [A, B, C] = [
  '0c1d7a7e-9dad-41d1-80b4-00c04fd430c8',
  '6ba7b810-9dad-41d1-80b4-00c04fd430c8',
  'f1a7b810-9dad-41d1-80b4-00c04fd430c8',
] as const;

/** Two keys from which the same number is derived. */
const COLLIDING = ['c0000182ad0f915b4', 'c001c58d32a83086d'] as const;

const numberOf = (key: string) => Number(createHash('sha256').update(key).digest().readBigUInt64BE() >> 11n);

describeEachEngine('A whole number that is derived from a key of text', (engine) => {
  const panels = sourcePanels(engine);
  const native: ColumnType[] =
    engine === 'postgresql' || (engine === 'mariadb' && !isMysql) ? ['native uuid'] : [];

  const fill = (type: ColumnType, keys: readonly string[]) =>
    panels.table(
      'sites',
      { id: 'integer', domain_id: type, name: 'string', parent: type, account: 'integer' },
      keys.map((key, index) => ({
        id: index,
        domain_id: key,
        name: `${'abc'[index]}.example`,
        parent: index > 0 ? keys[0] : null,
        account: index > 1 ? 2 : 1,
      })),
    );

  const constants = {
    type: { value: 'alias' },
    ssl_status: { value: 'none' },
    status: { value: 'active' },
  };
  const fields = {
    ...constants,
    id: { column: 'domain_id', number: true },
    domain: 'name',
    parent_id: 'parent',
    account_id: 'account',
  };
  const table = { domains: { table: 'sites', fields } } as never;
  const query = {
    domains: {
      query: (knex: typeof panels.knex) => knex('sites as s'),
      fields: {
        ...constants,
        id: { column: 's.domain_id', number: true },
        domain: 's.name',
        parent_id: { column: 's.parent' },
        account_id: 's.account',
      },
    },
  } as never;

  test.each<ColumnType>(['string', ...native])(
    'shows rows in the order of a key of the type %s',
    async (type) => {
      await fill(type, [A, B, C]);
      for (const { get, items } of [await panels.start(table), await panels.start(query)]) {
        const rows = [
          { id: numberOf(A), domain: 'a.example', parent_id: null },
          { id: numberOf(B), domain: 'b.example', parent_id: numberOf(A) },
          { id: numberOf(C), domain: 'c.example', parent_id: numberOf(A) },
        ];
        expect(await items('domains')).toEqual(rows.map(expect.objectContaining));
        expect((await items('domains', '?order=desc')).map(({ id }) => id)).toEqual([C, B, A].map(numberOf));
        const paged: unknown[] = [];
        for (let cursor = ''; cursor !== null && paged.length < 9; ) {
          const { body } = await get(`domains.php?limit=1${cursor && `&cursor=${cursor}`}`);
          paged.push(...body.data.items.map(({ id }: { id: unknown }) => id));
          cursor = body.data.next_cursor;
        }
        expect(paged).toEqual([A, B, C].map(numberOf));
      }
    },
  );

  test('is found by filters of the id and of the parent, among the rows of the token', async () => {
    await fill('string', [A, B, C]);
    for (const { get, items, panel } of [await panels.start(table), await panels.start(query)]) {
      const domains = async (filter: string) => (await items('domains', filter)).map(({ domain }) => domain);
      expect(await domains(`?id=${numberOf(B)}`)).toEqual(['b.example']);
      expect(await domains(`?id=${numberOf(C)},${numberOf(A)},7`)).toEqual(['a.example', 'c.example']);
      expect(await domains('?id=7')).toEqual([]);
      expect(await domains(`?parent_id=${numberOf(A)}&limit=1`)).toEqual(['b.example']);
      expect((await get(`domains.php?parent_id=${numberOf(A)}&count=true`)).body.data.total).toBe(2);
      const token = await panel.token({ accountId: 2 });
      const { body } = await get(`domains.php?id=${numberOf(A)},${numberOf(C)}`, token);
      expect(body.data.items).toMatchObject([{ domain: 'c.example' }]);
    }
  });

  test('is what the client gets a domain by, and keeps a copy by', async () => {
    await fill('string', [C, A, B]);
    const { panel, token } = await panels.start(table);
    const client = createClient({ baseUrl: panel.url, token });
    expect(await client.domains.get(numberOf(B))).toMatchObject({ domain: 'c.example' });
    expect(await client.domains.get(7)).toBeNull();
    const store = new Map();
    expect(await client.sync('domains', store)).toMatchObject({ created: 3, complete: true });
    await panels.knex('sites').where({ domain_id: A }).delete();
    expect(await client.sync('domains', store)).toMatchObject({ deleted: 1, unchanged: 2 });
    expect([...store.keys()]).toEqual([B, C].map(numberOf));
  });

  test('is an integer of the document, and check finds nothing wrong', async () => {
    await fill('string', [A, B, C]);
    const { get } = await panels.start(table);
    const { body } = await get('openapi.php');
    const { properties } = body.data.document.components.schemas.Domain;
    expect([properties.id.type, properties.parent_id.type]).toEqual(['integer', ['integer', 'null']]);
    const found = await checkSources({ db: panels.knex, sources: { ...(table as object), accounts: false } });
    expect(found.flatMap(({ warnings }) => warnings)).toEqual([]);
  });

  test('is refused if two rows of an answer have it, and never read as the other row', async () => {
    await fill('string', [...COLLIDING, A]);
    const id = numberOf(COLLIDING[0]);
    expect(numberOf(COLLIDING[1])).toBe(id);
    const { get, items } = await panels.start(table);
    expect((await get('domains.php')).status).toBe(500);
    expect((await get(`domains.php?id=${id}`)).status).toBe(500);
    expect(await items('domains', `?id=${numberOf(A)}`)).toMatchObject([{ domain: 'c.example' }]);
    // Both are rows of another account.
    expect(await items('domains', `?id=${id}&account_id=2`)).toEqual([]);
    const [list] = (await checkSources({ db: panels.knex, sources: table })).filter(
      ({ resource }) => resource === 'domains',
    );
    expect(list).toMatchObject({
      state: 'failed',
      missing: [expect.stringMatching(/^The same id is derived from two keys of domains\./)],
    });
  });

  test('may stand beside whole numbers in another part', async () => {
    await fill('string', [A, B]);
    await panels.table('hosts', { domain: 'string', parent_id: 'integer' }, [
      { domain: 'x.example' },
      { domain: 'y.example', parent_id: 1 },
    ]);
    const { items } = await panels.start({
      domains: [
        { table: 'hosts', uniqueIds: true, fields: constants },
        { table: 'sites', uniqueIds: true, fields },
      ],
    } as never);
    const rows = (await items('domains')).map(({ id, parent_id }) => [id, parent_id]);
    expect(rows).toEqual([
      [1, null],
      [2, 1],
      [numberOf(A), null],
      [numberOf(B), numberOf(A)],
    ]);
    expect(await items('domains', `?id=2,${numberOf(B)}`)).toMatchObject([
      { domain: 'y.example' },
      { domain: 'b.example' },
    ]);
  });

  test('is advised if the key is a text', async () => {
    await fill('string', []);
    const domains = { table: 'sites', fields: { ...fields, id: 'domain_id' } } as never;
    const found = await checkSources({ db: panels.knex, sources: { domains } });
    expect(found.flatMap(({ missing }) => missing).join()).toMatch(
      /domain_id of the table sites has the type .*, but must be an integer: of a text, such as a UUID, say `number: true`\./,
    );
  });

  test('is refused for a column of whole numbers and for one of bytes', async () => {
    await fill('integer', []);
    const missing = async () =>
      (await checkSources({ db: panels.knex, sources: table })).flatMap(({ missing: all }) => all);
    expect(await missing()).toEqual([
      expect.stringMatching(/domain_id of the table sites has the type int(eger)?: leave `number` out/),
    ]);
    await panels.knex.schema.dropTable('sites');
    await fill(
      engine === 'mariadb' ? 'native binary(16)' : engine === 'sqlite' ? 'native blob' : 'native bytea',
      [],
    );
    expect(await missing()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/has the type (?:binary|bytea|blob), which cannot be a key/),
      ]),
    );
  });
});
