import { describeEachEngine } from '../../fixture/databases';
import { expectIdle } from '../../fixture/expectIdle';
import { DOMAINS, type LongPanel, startLongPanel } from '../../fixture/streams/longPanel';
import { idsFrom, nameOf, rowOf, WORD } from '../../fixture/streams/longTable';

const ROWS = 4000;

interface Item {
  readonly id: number;
  readonly domain: string;
}

describeEachEngine('A whole list', (engine) => {
  let long: LongPanel;

  beforeAll(async () => {
    long = await startLongPanel(engine, { rows: ROWS });
  });

  const get = (query = '', init: RequestInit = {}) => long.panel.get(DOMAINS + query, long.token, init);
  const idsOf = (body: { data: { items: Item[] } }) => body.data.items.map(({ id }) => id);

  test('that is long is sent in pieces, with every row once and every character, and leaves one line', async () => {
    const before = (await long.panel.requestLines(0)).length;
    const { status, headers, text, body } = await get();
    expect(status).toBe(200);
    expect([headers.get('Transfer-Encoding'), headers.get('Content-Length'), headers.get('ETag')]).toEqual([
      'chunked',
      null,
      null,
    ]);
    expect(idsOf(body)).toEqual(idsFrom(1, ROWS));
    expect(body.data.items.filter(({ id, domain }: Item) => domain !== nameOf(id))).toEqual([]);
    const line = (await long.panel.requestLines(before + 1)).at(-1);
    expect(line).toMatchObject({
      level: 'info',
      fields: { status: 200, error_code: null, bytes: Buffer.byteLength(text) },
    });
    expect(line?.fields).not.toHaveProperty('aborted');
    await expectIdle(long.database);
    expect(long.errors).toEqual([]);
  });

  test('that is long shows only the fields that were asked for', async () => {
    const { response, rest } = await long.open(`${DOMAINS}?fields=domain,type`);
    expect(response.headers.etag).toBeUndefined();
    const { items } = JSON.parse((await rest()).text).data;
    expect(items).toHaveLength(ROWS);
    expect(items.at(-1)).toEqual({ id: ROWS, domain: nameOf(ROWS), type: WORD });
  });

  test('that is long after a filter has only the rows that pass', async () => {
    const { body, headers } = await get('?account_id=1,2');
    expect(headers.get('ETag')).toBeNull();
    expect(idsOf(body)).toEqual(idsFrom(1, ROWS).filter((id) => [1, 2].includes((id - 1) % 5)));
  });

  test.each([
    ['short', `?domain=${encodeURIComponent(nameOf(7))}`, 1],
    ['of some thousands of small rows', '?fields=id&account_id=3,4', (2 * ROWS) / 5],
    ['empty', '?domain=none.example', 0],
  ])(
    'that is %s is sent at once, with its length and a validator that holds',
    async (_length, query, rows) => {
      const first = await long.open(DOMAINS + query);
      const { text } = await first.rest();
      const { etag = '', 'content-length': length } = first.response.headers;
      expect([JSON.parse(text).data.items.length, length]).toEqual([rows, String(Buffer.byteLength(text))]);
      const again = await long.open(DOMAINS + query, {
        headers: { 'If-None-Match': etag },
      });
      expect([again.response.statusCode, await again.rest()]).toEqual([304, { text: '', whole: true }]);
    },
  );

  test('that is long answers HEAD without a body, and releases the connection', async () => {
    const { status, headers, text } = await get('', { method: 'HEAD' });
    expect([status, headers.get('Content-Length'), headers.get('ETag'), text]).toEqual([200, null, null, '']);
    await expectIdle(long.database);
  });

  test('that is long has a row that was added since, and not one that was deleted', async () => {
    const { knex } = long.database;
    await knex('domains').insert(rowOf(ROWS + 7));
    await knex('domains').where({ id: 3 }).del();
    expect(idsOf((await get()).body)).toEqual([1, 2, ...idsFrom(4, ROWS), ROWS + 7]);
  });
});
