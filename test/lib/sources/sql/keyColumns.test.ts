import type { Sources } from '../../../../index';
import { describeEachEngine, type Engine, isMysql } from '../../../fixture/databases';
import { sourcePanels } from '../../../fixture/sources/sourcePanels';

const TEXTS = ["'a'", "'A'", "'a '", "'ä'", "'b'", "'10'", "'9'"];

/** Types of columns, and literals of SQL by which they tell rows apart. */
const KEYS: Readonly<Record<Engine, Readonly<Record<string, readonly string[]>>>> = {
  mariadb: {
    'varchar(9)': TEXTS,
    'varchar(9) collate utf8mb4_unicode_ci': [...TEXTS, "'a\\0'"],
    'varchar(9) collate utf8mb4_bin': ["'a'", "'A'", "'ä'", "'b'"],
    'char(9)': ["'a'", "'b'", "'10'"],
    "enum('b', 'a')": ["'a'", "'b'"],
    json: ["'1'", `'"a"'`, `'{"a": 1}'`],
    'float(9, 3)': ['1', '1.5', '-0.0'],
    float: ['1', '1e20', '0.1'],
    double: ['1', '1e20', '0.1'],
    'decimal(65, 0)': ['123456789012345678901234567890123456789012345678901234567890', '1'],
    'decimal(10, 2)': ['1', '1.5', '-2'],
    date: ["'2026-06-12'", "'1969-01-01'"],
    'datetime(3)': ["'2026-06-12 10:00:00.001'", "'2026-06-12 10:00:00.002'"],
    'timestamp(3)': ["'2026-06-12 10:00:00.001'", "'2026-06-12 10:00:00.002'"],
    time: ["'-10:00:00'", "'10:00:00'"],
    ...(!isMysql && {
      uuid: ["'6ba7b810-9dad-11d1-80b4-00c04fd430c8'", "'5ba7b810-9dad-11d2-80b4-00c04fd430c8'"],
    }),
    'bit(8)': ['1', '255'],
  },
  postgresql: {
    text: TEXTS,
    'text collate loose': TEXTS,
    'character(9)': ["'a'", "'b'", "'ä'"],
    numeric: ["'NaN'", "'Infinity'", "'-Infinity'", '1', '1234567890123456789012345678901234567890123.5'],
    'double precision': ["'NaN'", "'Infinity'", "'-Infinity'", '1', '0.1', '1e20'],
    date: ["'infinity'", "'-infinity'", "'2026-06-12'"],
    timestamp: ["'infinity'", "'-infinity'", "'2026-06-12 10:00:00.123456'", "'294000-01-01'"],
    timestamptz: ["'infinity'", "'-infinity'", "'2026-06-12 10:00:00Z'", "'4000-01-01 BC'"],
    interval: ["'1 day'", "'2 days'", "'-1 day'"],
    jsonb: ["'1'", `'"a"'`, `'{"a": 1}'`],
    'text[]': ["'{a}'", "'{a,b}'", "'{}'"],
    boolean: ['true', 'false'],
    inet: ["'10.0.0.1'", "'9.0.0.0/8'"],
    uuid: ["'6ba7b810-9dad-11d1-80b4-00c04fd430c8'", "'5ba7b810-9dad-11d2-80b4-00c04fd430c8'"],
  },
  sqlite: {
    'varchar(9)': [...TEXTS, "'a' || char(0)"],
    'varchar(9) collate nocase': TEXTS,
    'varchar(9) collate rtrim': TEXTS,
    text: ["'a'", "x'61'", "x'ff'"],
    integer: ['1', '2', '1.5', "'abc'", "x'31'"],
    'decimal(10, 2)': ['1', '1.5', '1e20', '0.1', '-2'],
    float: ['1', '1.5', '0.1', '9e999', '-9e999', '0.30000000000000004', '0.3'],
    '': ['1', '1.5', '2.0', '1e20', '1e21', "'a'", '-0.5', '9e999'],
    boolean: ['1', '0'],
    datetime: ['1781258400000.0', "'2026-06-12 10:00:00'", '1781258400'],
  },
};

describeEachEngine('A key', (engine) => {
  const panels = sourcePanels(engine);

  const start = async (type: string, held: readonly string[]) => {
    if (type.endsWith('loose')) {
      await panels.knex.raw(
        "create collation if not exists loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false)",
      );
    }
    await panels.table('held', {});
    await panels.knex.raw(`alter table held add held ${type}`);
    await panels.knex.raw(
      `insert into held (held) values ${held.map((literal) => `(${literal})`).join(', ')}`,
    );
    return panels.start({
      jobs: {
        table: 'held',
        fields: {
          id: { columns: { key: 'held', row: 'held' }, compute: ({ key }) => `key ${key}` },
          type: { value: 'x' },
          status: { value: 'x' },
        },
      },
    } as Sources);
  };

  test.each(Object.entries(KEYS[engine]))(
    'of type %s pages through every row once, or is refused',
    async (type, held) => {
      const { get } = await start(type, held);
      for (const limit of [1, 2]) {
        const found: unknown[] = [];
        let cursor: string | null = '';
        let status = 200;
        while (cursor !== null && status === 200 && found.length <= held.length) {
          const answer = await get(`jobs.php?limit=${limit}${cursor && `&cursor=${cursor}`}`);
          status = answer.status;
          found.push(...(answer.body.data?.items ?? []));
          cursor = answer.body.data?.next_cursor ?? null;
        }
        expect([type, limit, status < 500 ? found.length : held.length]).toEqual([type, limit, held.length]);
      }
    },
  );

  const EQUAL: Readonly<Record<Engine, Readonly<Record<string, readonly string[]>>>> = {
    mariadb: Object.fromEntries(
      ['general_ci', ...(isMysql ? ['0900_ai_ci'] : ['unicode_nopad_ci', 'uca1400_nopad_ai_ci'])].map(
        (name) => [`varchar(9) collate utf8mb4_${name}`, ["'a'", "'ä'", "'b'"]],
      ),
    ),
    postgresql: { numeric: ['1', '1.0', '2'] },
    sqlite: {},
  };

  const equals = Object.entries(EQUAL[engine]);
  if (equals.length > 0) {
    test.each(equals)(
      'of type %s that is equal in two rows is refused, backwards too',
      async (type, held) => {
        const { get, panel } = await start(type, held);
        for (const order of ['', '&order=desc']) {
          let cursor: string | null = '';
          let status = 200;
          for (let page = 0; cursor !== null && page < held.length; page += 1) {
            const answer = await get(`jobs.php?limit=1${order}${cursor && `&cursor=${cursor}`}`);
            status = answer.status;
            cursor = answer.body.data?.next_cursor ?? null;
          }
          expect([order, status]).toEqual([order, 500]);
          expect((await panel.requestLines(1)).at(-1)?.fields.cause).toBe('KeyNotUnique');
        }
      },
    );
  }

  if (engine === 'mariadb') {
    const typeOf = (collation: string) =>
      `varchar(99) character set ${collation.split('_')[0]} collate ${collation}`;
    const APART: Readonly<Record<string, readonly string[]>> = {
      ...(isMysql
        ? {
            cp1250_czech_cs: ['a\u007f', 'a ', 'a', '\u007fb', ' b'],
            gb18030_chinese_ci: ['a漢', 'aİ', 'aij', 'aIJ', 'a①'],
            latin7_estonian_cs: ['a', 'a-', 'A', 'A-'],
            latin7_general_ci: ['a', 'a-', '-a'],
            tis620_thai_ci: ['a\0', 'a', 'b\0', 'b'],
          }
        : {
            utf8mb4_uca1400_as_cs: ['A', 'a', 'Ä', 'ä', 'ab', 'Ab'],
            utf8mb4_uca1400_as_ci: ['ä', 'a', 'äb', 'ab'],
            utf8mb4_uca1400_ai_cs: ['A', 'a', 'AB', 'ab'],
            utf8mb4_uca1400_persian_nopad_ai_ci: ['a', 'a\u0653', 'ab', 'ab\u0653'],
            utf8mb4_nopad_bin: ['a\0', 'a', 'b\0', 'b'],
          }),
      big5_chinese_ci: ['漢', '①', 'Ａ', '１'],
      latin7_general_cs: ['a', 'a-', 'A', 'A-'],
    };

    test.each(Object.entries(APART))(
      'of the collation %s, which is sorted otherwise than compared, has each row on one page without an index',
      async (collation, texts) => {
        const held = [...texts, ...'opqrstuvwxyz'];
        const { get } = await start(
          typeOf(collation),
          held.map((text) => `_utf8mb4 x'${Buffer.from(text).toString('hex')}'`),
        );
        for (const order of ['', '&order=desc']) {
          const found: unknown[] = [];
          for (let cursor: string | null = ''; cursor !== null && found.length <= held.length; ) {
            const { body } = await get(`jobs.php?limit=1${order}${cursor && `&cursor=${cursor}`}`);
            found.push(...body.data.items.map(({ id }: { id: string }) => id));
            cursor = body.data.next_cursor;
          }
          expect(found.toSorted()).toEqual(held.map((text) => `key ${text}`).toSorted());
        }
      },
    );

    test.each([
      'utf8mb4_general_ci',
      'utf8mb4_bin',
      'utf8mb4_unicode_ci',
      ...(isMysql
        ? ['utf8mb4_0900_ai_ci', 'utf8mb4_0900_as_cs', 'utf8mb4_0900_bin']
        : ['utf8mb4_uca1400_ai_ci', 'utf8mb4_uca1400_nopad_ai_ci']),
      'latin1_swedish_ci',
    ])('of the collation %s is sorted as it is, so that its index serves', async (collation) => {
      const { items, statements } = await start(typeOf(collation), ["'a'", "'b'"]);
      await items('jobs');
      expect(statements.at(-1)).toMatch(/ORDER BY `held`, `held` LIMIT/);
    });
  }

  test('is asked for in one statement for each page', async () => {
    const type = Object.keys(KEYS[engine])[0] as string;
    const { get, statements } = await start(type, ["'a1'", "'b1'", "'c1'"]);
    let cursor: string | null = '';
    for (let page = 1; cursor !== null; page += 1) {
      const { body } = await get(`jobs.php?limit=1${cursor && `&cursor=${cursor}`}`);
      cursor = body.data.next_cursor;
      expect(statements.filter((sql) => sql.includes('held') && sql.includes('ORDER BY'))).toHaveLength(page);
    }
  });

  const ACCEPTED: Readonly<Record<Engine, readonly string[]>> = {
    mariadb: [
      'varchar(9) collate utf8mb4_bin',
      'float',
      'decimal(65, 0)',
      'json',
      'timestamp(3)',
      ...(isMysql ? [] : ['uuid']),
      'bit(8)',
    ],
    postgresql: [
      'text',
      'text collate loose',
      'numeric',
      'date',
      'timestamp',
      'timestamptz',
      'text[]',
      'jsonb',
      'uuid',
    ],
    sqlite: ['varchar(9)', 'varchar(9) collate nocase', 'varchar(9) collate rtrim', 'float', '', 'datetime'],
  };

  test.each(ACCEPTED[engine])('of type %s is served', async (type) => {
    const held = KEYS[engine][type] ?? [];
    const { items, get } = await start(type, held);
    const whole = await items('jobs');
    expect(whole).toHaveLength(held.length);
    const pages: unknown[] = [];
    let cursor = '';
    do {
      const { body } = await get(`jobs.php?limit=1${cursor && `&cursor=${cursor}`}`);
      pages.push(...body.data.items);
      cursor = body.data.next_cursor;
    } while (cursor && pages.length <= held.length);
    expect(pages).toEqual(whole);
  });
});
