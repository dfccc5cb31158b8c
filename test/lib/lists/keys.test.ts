import type { Knex } from 'knex';
import { describeEachEngine, type Engine } from '../../fixture/databases';
import { type ListPanel, startListPanel } from '../../fixture/listPanel';

interface Keys {
  /** SQL type of the key's column. */
  readonly type: string;
  readonly keys: readonly string[];
  readonly engines?: readonly Engine[];
  readonly before?: string;
}

const LETTERS = [
  'Zebra',
  'apple',
  "o'clock",
  'a"b',
  'a,b',
  'a\\b',
  'a%b',
  'ä',
  'ß',
  'Ω',
  '漢',
  '🐘',
  ' x',
  '٣',
  '10',
  '9',
];

const KINDS: Readonly<Record<string, Keys>> = {
  texts: { type: 'varchar(64)', keys: [...LETTERS, 'Apfel'] },
  'texts that differ by their case': {
    type: 'varchar(64)',
    keys: ['A1', 'a1', 'B', 'b', 'Ä', 'ä'],
    engines: ['postgresql', 'sqlite'],
  },
  'texts that differ by their case in a binary collation': {
    type: 'varchar(64) COLLATE utf8mb4_bin',
    keys: [...LETTERS, 'A1', 'a1', 'Ä', 'a', 'A'],
    engines: ['mariadb'],
  },
  'texts with control and combining characters that a collation tells apart': {
    type: 'varchar(64) COLLATE utf8mb4_general_ci',
    keys: ['a', 'a\u0001', 'a\u0301', 'a\u0301\u0301', 'a\u0327', 'b'],
    engines: ['mariadb'],
  },
  'texts in latin1': {
    type: 'varchar(64) CHARACTER SET latin1 COLLATE latin1_general_cs',
    keys: ['a', 'A', 'ä', 'Ä', 'é', "'", 'z', '€'],
    engines: ['mariadb'],
  },
  'texts in a collation of a language': {
    type: 'varchar(64) COLLATE "und-x-icu"',
    keys: [...LETTERS, 'Apfel', 'a1', 'A1'],
    engines: ['postgresql'],
  },
  enumerations: {
    type: "ENUM('zeta', 'alpha', 'Mitte', 'ü')",
    keys: ['zeta', 'alpha', 'Mitte', 'ü'],
    engines: ['mariadb'],
  },
  'enumerations of PostgreSQL': {
    before: "CREATE TYPE speed AS ENUM ('zeta', 'alpha', 'Mitte', 'ü')",
    type: 'speed',
    keys: ['zeta', 'alpha', 'Mitte', 'ü'],
    engines: ['postgresql'],
  },
  uuids: {
    type: 'uuid',
    keys: [
      '0b6f3c9e-1d5a-4b0e-9a53-0d4f9f1f7c11',
      'ffffffff-1d5a-4b0e-9a53-0d4f9f1f7c11',
      '10000000-0000-0000-0000-000000000000',
    ],
    engines: ['postgresql'],
  },
  'decimals without a fraction': {
    type: 'decimal(20, 0)',
    keys: ['9', '10', '18446744073709551615', '-3'],
    engines: ['mariadb', 'postgresql'],
  },
  'whole numbers beyond 2^53 and below zero': {
    type: 'bigint',
    keys: [
      '-9223372036854775808',
      '-9007199254740993',
      '-9007199254740992',
      '-1',
      '0',
      '9',
      '10',
      '9007199254740992',
      '9007199254740993',
      '9223372036854775807',
    ],
  },
  'whole numbers without a sign': {
    type: 'bigint unsigned',
    keys: ['1', '9223372036854775807', '9223372036854775808', '18446744073709551614', '18446744073709551615'],
    engines: ['mariadb'],
  },
};

/** Lists whose keys may be of any kind: one is created for each of the kinds. */
const LISTS = ['jobs', 'websites', 'email', 'databases', 'ssl', 'backups', 'cron', 'accounts'] as const;

describeEachEngine('A list is walked page by page and every key is found', (engine) => {
  let list: ListPanel;

  const kinds = Object.entries(KINDS).filter(([, { engines = [engine] }]) => engines.includes(engine));
  const sources = Object.fromEntries(LISTS.map((name, index) => [name, { table: `keys_${index}` }]));

  const setUp = async (knex: Knex) => {
    for (const [index, [, { type, keys, before }]] of kinds.entries()) {
      if (before) await knex.raw(before);
      await knex.raw(`CREATE TABLE keys_${index} (id ${type} PRIMARY KEY, type varchar(9), status varchar(9),
        address varchar(9), name varchar(9), engine varchar(9), common_name varchar(9), schedule varchar(9),
        domain varchar(9), username varchar(9), enabled varchar(9))`);
      for (const id of keys) await knex(`keys_${index}`).insert({ id, type: 'x', status: 'x' });
    }
  };

  beforeAll(async () => {
    list = await startListPanel(engine, setUp, sources);
  });

  test.each(kinds.map(([title], index) => [title, index] as const))(
    'where they are %s',
    async (title, index) => {
      const name = LISTS[index];
      const { text } = await list.get(`${name}.php?fields=id`);
      const whole = [...text.matchAll(/"id":("(?:[^"\\]|\\.)*"|-?\d+)/g)].map(([, id = '']) => id);
      const plain = whole.map((id) => (id.startsWith('"') ? JSON.parse(id) : id));
      expect(plain.toSorted()).toEqual(KINDS[title]?.keys.toSorted());
      for (const limit of [1, 2]) {
        const pages = await list.pages(`${name}.php?limit=${limit}`);
        expect(pages.flat()).toEqual(await list.items(`${name}.php`));
        expect(pages).toHaveLength(Math.ceil(whole.length / limit));
        const backwards = await list.pages(`${name}.php?order=desc&limit=${limit}`);
        expect(backwards.flat()).toEqual(pages.flat().toReversed());
      }
      for (const id of whole.filter((key) => !key.includes(','))) {
        const wanted = encodeURIComponent(id.startsWith('"') ? JSON.parse(id) : id);
        const { text } = await list.get(`${name}.php?fields=id&id=${wanted}`);
        expect(text).toContain(`"items":[{"id":${id}}]`);
      }
    },
  );
});
