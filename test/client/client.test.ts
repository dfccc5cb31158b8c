import { createClient, type Item, type PanelClient } from '../../client';
import { operations } from '../../routes';
import { type FullPanel, startFullPanel } from '../fixture/fullPanel';

type Method = () => Promise<object>;

describe('The client', () => {
  let full: FullPanel;
  let client: PanelClient;

  beforeAll(async () => {
    full = await startFullPanel('sqlite');
    client = createClient({ baseUrl: full.panel.url, token: full.token });
    const domain = { type: 'primary', ssl_status: 'active', created_at: '2026-06-12 00:00:00' };
    const rows = Array.from({ length: 1500 }, (_, index) => ({
      ...domain,
      domain: `d${index}.example`,
      status: index % 2 === 0 ? 'active' : 'suspended',
    }));
    await full.database.knex.batchInsert('domains', rows, 50);
    await full.database.knex.raw(
      "update accounts set disk_used_bytes = 9007199254740993, updated_at = '2026-06-12'",
    );
  });

  const lists = operations.filter(({ kind }) => kind === 'list').map(({ name }) => name);
  const objects = operations.filter(({ kind }) => kind === 'object').map(({ name }) => name);

  test.each(lists)('reads the list %s as curl does, and each item by its key', async (name) => {
    const list = client[name as 'accounts'];
    const { body } = await readRaw(full, `${name}.php`);
    const items = await collect(list());
    expect({ list: name, hasRows: items.length > 0 }).toEqual({ list: name, hasRows: true });
    expect(items).toHaveLength(body.data.items.length);
    expect(Object.keys(items[0] ?? {})).toEqual(Object.keys(body.data.items[0]));
    const [key] = Object.values(items.at(-1) ?? {});
    expect(Object.values((await list.get(key as number)) ?? {})[0]).toBe(key);
  });

  test.each(lists)('makes a copy of the list %s, by its keys', async (name) => {
    const copy = new Map<unknown, unknown>();
    const keys = (await collect(client[name as 'accounts']())).map((item) => Object.values(item)[0]);
    const run = () => client.sync(name as 'accounts', copy as Map<number, Item<'accounts'>>);
    expect(await run()).toMatchObject({ created: keys.length, complete: true });
    expect([...copy.keys()]).toEqual(keys);
    expect([...copy.values()].map((item) => Object.values(Object(item))[0])).toEqual(keys);
    expect(await run()).toMatchObject({ created: 0, deleted: 0 });
  });

  test.each(objects)('reads the object %s as curl does', async (name) => {
    const method = name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
    const { body } = await readRaw(full, `${name}.php`);
    const data = await (client as unknown as Record<string, Method>)[method]?.();
    expect(Object.keys(data ?? {})).toEqual([...Object.keys(body.data), 'etag']);
    expect(data).toMatchObject({ resource: name });
  });

  test('reads page after page until the end, of 1,000 items each', async () => {
    const before = full.panel.log.length;
    const ids = (await collect(client.domains())).map(({ id }) => id);
    expect(new Set(ids).size).toBe(1501);
    expect(full.panel.log.length - before).toBe(2);
  });

  test('stops asking for pages when the loop ends', async () => {
    const before = full.panel.log.length;
    for await (const { id } of client.domains({ limit: 10 })) if (id === 15) break;
    expect(full.panel.log.length - before).toBe(2);
  });

  test('returns one page, and the next by its cursor', async () => {
    const first = await client.domains.page({ limit: 2, status: 'suspended', fields: ['domain'] });
    expect(first.items.map(({ domain }) => domain)).toEqual(['d1.example', 'd3.example']);
    const next = await client.domains.page({
      limit: 1000,
      status: 'suspended',
      cursor: first.nextCursor ?? '',
    });
    expect(next.items).toHaveLength(748);
    expect(next.nextCursor).toBeNull();
  });

  test('reads a list backwards', async () => {
    const [last] = await collect(client.domains({ order: 'desc', limit: 1000 }));
    expect(last?.id).toBe(1501);
  });

  test('counts items, also by a field, and adds up sizes', async () => {
    expect((await client.domains.count({ status: 'suspended' })).total).toBe(750);
    expect((await client.domains.count()).total).toBe(1501);
    const { counts } = await client.domains.count({ count: 'status' });
    expect(counts?.suspended).toBe(750);
    const { total, unknownWords } = await client.domains.count({ status: 'actve' });
    expect([total, unknownWords]).toEqual([0, { status: ['actve'] }]);
    const { sums } = await client.accounts.count({ sum: ['disk_used_bytes'], count: undefined });
    expect(sums?.disk_used_bytes).toBeGreaterThanOrEqual(9007199254740993n);
  });

  test('sends several values, flags, numbers and times', async () => {
    const some = await client.domains.page({
      domain: ['d1.example', 'd2.example'],
      status: ['active', 'suspended'],
    });
    expect(some.items).toHaveLength(2);
    expect((await client.accounts.page({ two_factor_enabled: true, id: [1n, 2] })).items).toHaveLength(1);
    const changed = async (updated_since: Date | string) =>
      (await client.accounts.page({ updated_since })).items;
    expect(await changed(new Date('2026-06-12'))).toHaveLength(1);
    expect(await changed(new Date('2026-06-12T00:00:01Z'))).toEqual([]);
    expect(await changed('2026-06-12')).toHaveLength(1);
    const { items, unknownWords } = await client.accounts.page({
      updated_at_since: '2026-06-13',
      status: ['active', 'actve'],
    });
    expect([items, unknownWords]).toEqual([[], { status: ['actve'] }]);
  });

  test('returns null for a key that no item has', async () => {
    expect(await client.domains.get(999_999)).toBeNull();
    expect(await client.settings.get('no.such')).toBeNull();
  });

  test('does not take the first item for one without a key', async () => {
    const nothing = undefined as unknown as number;
    await expect(client.domains.get(nothing)).rejects.toMatchObject({ details: { parameter: 'id' } });
  });

  test('lets the API refuse an empty array of values', async () => {
    await expect(client.domains.page({ id: [] })).rejects.toMatchObject({ details: { parameter: 'id' } });
  });

  test('finds keys, names and addresses with commas and quotes, each as one value', async () => {
    const values = ['Basic, monthly', '"Pro"', '"a, b"@c.example', '5" disk', 'Basic'];
    for (const plan of values)
      await full.database.knex('accounts').insert({ username: plan, email: plan, plan });
    for (const value of values) {
      expect((await collect(client.accounts({ plan: value }))).map(({ plan }) => plan)).toEqual([value]);
      expect((await client.accounts.page({ email: [value] })).items).toHaveLength(1);
      expect((await client.accounts.count({ username: value })).total).toBe(1);
      expect((await client.accounts.page({ search: value.slice(0, 7) })).items.length).toBeGreaterThan(0);
    }
    expect(await collect(client.accounts({ plan: values }))).toHaveLength(values.length);
    expect(await client.settings.get('a,b')).toBeNull();
  });

  test('returns null for data that has not changed since an ETag', async () => {
    const first = await client.domains.page({ limit: 2 });
    expect(first.etag).toMatch(/^W\/".+"$/);
    expect(await client.domains.page({ limit: 2 }, { etag: first.etag })).toBeNull();
    const other = await client.domains.page({ limit: 3 }, { etag: first.etag });
    expect(other?.items).toHaveLength(3);
    const figures = await client.domains.count({ count: 'status' });
    expect(await client.domains.count({ count: 'status' }, { etag: figures.etag })).toBeNull();
    const { etag, document } = await client.openapi();
    expect(document).toBeInstanceOf(Object);
    expect(await client.openapi({ etag })).toBeNull();
    expect((await client.openapi({ etag: null }))?.etag).toBe(etag);
  });

  test('returns a whole number beyond 2^53 in all its digits', async () => {
    const [anna] = await collect(client.accounts({ username: 'anna' }));
    expect(anna?.disk_used_bytes).toBe(9007199254740993n);
  });

  test('says what the API refuses, and under which id its log has it', async () => {
    const error = await client.domains.page({ limit: 0 }).catch((thrown) => thrown);
    const line = full.panel.log.at(-1);
    expect({ ...error }).toEqual({
      name: 'PanelApiError',
      code: 'query_invalid',
      status: 400,
      details: { parameter: 'limit', expected: 'a whole number from 1 to 1,000' },
      requestId: line?.fields.request_id,
    });
    expect(error.message).toBe('limit must be a whole number from 1 to 1,000.');
    expect(error.requestId).toMatch(/./);
  });
});

async function readRaw({ panel, token }: FullPanel, path: string) {
  const answer = await panel.get(`/api/v1/${path}`, token);
  expect(answer.status).toBe(200);
  return answer;
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
