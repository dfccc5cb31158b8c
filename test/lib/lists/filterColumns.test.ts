import { readAnswer } from '../../fixture/answer';
import { describeEachEngine, type Engine } from '../../fixture/databases';
import { type ListPanel, pathOf, startListPanel } from '../../fixture/listPanel';
import { startPanel } from '../../fixture/panel';

interface Kind {
  readonly engines?: readonly Engine[];
  readonly type: string;
  /** The values of the rows, as SQL; the first row's id is 1. */
  readonly rows: readonly string[];
  /** The value of the filter, and the ids of the rows that hold it. */
  readonly found: Readonly<Record<string, readonly number[]>>;
}

const ONE_LETTER = { rows: ["'y'", "'n'", "'Y'", "'N'", 'NULL'], found: { true: [1, 3], false: [2, 4, 5] } };

/** Columns for `enabled`, a flag that is false if the column is null. */
const FLAGS: readonly Kind[] = [
  {
    type: 'boolean',
    rows: ['true', 'false', 'NULL'],
    found: { true: [1], false: [2, 3], 'true,false': [1, 2, 3] },
  },
  { type: 'smallint', rows: ['1', '0', '2', '-1', 'NULL'], found: { true: [1, 3, 4], false: [2, 5] } },
  { type: 'char(1)', ...ONE_LETTER },
  { type: 'varchar(9)', ...ONE_LETTER },
  {
    type: 'varchar(9)',
    rows: ["'Yes'", "'NO'", "'on'", "'Off'", "'enabled'", "'Disabled'", "''", "'?'", "' '", "'1'", "'0'"],
    found: { true: [1, 3, 5, 10], false: [2, 4, 6, 7, 8, 9, 11] },
  },
  {
    engines: ['mariadb'],
    type: "ENUM('n', 'y')",
    rows: ["'y'", "'n'", 'NULL'],
    found: { true: [1], false: [2, 3] },
  },
  {
    engines: ['mariadb'],
    type: 'BIT(1)',
    rows: ["b'1'", "b'0'", 'NULL'],
    found: { true: [1], false: [2, 3] },
  },
  { engines: ['mariadb'], type: 'tinyint(1)', rows: ['1', '0', 'NULL'], found: { true: [1], false: [2, 3] } },
  {
    engines: ['mariadb', 'postgresql'],
    type: 'decimal(1, 0)',
    rows: ['1', '0', 'NULL'],
    found: { true: [1], false: [2, 3] },
  },
];

const LATIN = {
  rows: ["'M\u00fcller'", "'muller'", "'m\u00fcller'", "'?'", "'??'", "'A'", 'NULL'],
  found: {
    müller: [3],
    Müller: [1],
    muller: [2],
    '🐘': [],
    漢字: [],
    Жук: [],
    'a,🐘': [],
    'A,🐘,müller': [3, 6],
    '?': [4],
  },
};

/** Columns for `status`, a word that is `unknown` if the column is null. */
const WORDS: readonly Kind[] = [
  {
    type: 'varchar(64)',
    rows: ["'active'", "'Active'", "''", 'NULL', "'unknown'", "'\u{1f418}'"],
    found: {
      active: [1],
      Active: [2],
      ACTIVE: [],
      unknown: [3, 4, 5],
      '🐘': [6],
      'active,unknown': [1, 3, 4, 5],
    },
  },
  { type: 'char(8)', rows: ["'active'", "''", 'NULL'], found: { active: [1], unknown: [2, 3] } },
  { type: 'text', rows: ["'active'", "'Active'"], found: { active: [1], unknown: [] } },
  {
    type: 'integer',
    rows: ['1', '0', '-5', 'NULL'],
    found: { 1: [1], '01': [], 0: [2], '-5': [3], unknown: [4], x: [] },
  },
  { engines: ['mariadb'], type: 'varchar(64) CHARACTER SET latin1', ...LATIN },
  { engines: ['mariadb'], type: 'varchar(64) CHARACTER SET latin1 COLLATE latin1_bin', ...LATIN },
  { engines: ['mariadb'], type: 'text CHARACTER SET utf8mb3 COLLATE utf8mb3_unicode_ci', ...LATIN },
  { engines: ['mariadb'], type: 'varchar(64) CHARACTER SET ucs2', ...LATIN },
  { engines: ['mariadb'], type: 'varchar(64) COLLATE utf8mb4_bin', ...LATIN },
  {
    engines: ['mariadb'],
    type: 'varchar(64) CHARACTER SET ascii',
    rows: ["'active'", "'?'"],
    found: { active: [1], müller: [], '🐘': [], '?': [2] },
  },
  {
    engines: ['mariadb'],
    type: "ENUM('active', 'm\u00fcller', '') CHARACTER SET latin1",
    rows: ["'active'", "'m\u00fcller'", "''", 'NULL'],
    found: { active: [1], Active: [], müller: [2], unknown: [3, 4], 1: [], '🐘': [] },
  },
  {
    engines: ['mariadb'],
    type: "SET('a', 'b')",
    rows: ["'a'", "'b'", 'NULL'],
    found: { a: [1], A: [], unknown: [3] },
  },
  {
    engines: ['mariadb'],
    type: 'varbinary(64)',
    rows: ["'active'", "X'ff'"],
    found: { active: [1], Active: [], '🐘': [] },
  },
  {
    engines: ['postgresql'],
    type: 'word_kind',
    rows: ["'active'", "'gone'", 'NULL'],
    found: { active: [1], Active: [], nothing: [], unknown: [3] },
  },
  {
    engines: ['postgresql'],
    type: 'uuid',
    rows: ["'0b6f3c9e-1d5a-4b0e-9a53-0d4f9f1f7c11'", 'NULL'],
    found: {
      '0b6f3c9e-1d5a-4b0e-9a53-0d4f9f1f7c11': [1],
      '0B6F3C9E-1D5A-4B0E-9A53-0D4F9F1F7C11': [],
      x: [],
      unknown: [2],
    },
  },
  { engines: ['postgresql'], type: 'jsonb', rows: ["'1'", "'true'"], found: { 1: [1], true: [2], '{': [] } },
  { engines: ['postgresql'], type: 'inet', rows: ["'192.0.2.7'"], found: { '192.0.2.7': [1], x: [] } },
  {
    engines: ['postgresql'],
    type: 'boolean',
    rows: ['true', 'false', 'NULL'],
    found: { t: [1], f: [2], true: [], unknown: [3] },
  },
  { engines: ['postgresql'], type: 'positive', rows: ['1', 'NULL'], found: { 1: [1], x: [], unknown: [2] } },
  {
    engines: ['postgresql'],
    type: 'varchar(64) COLLATE "und-x-icu"',
    rows: ["'active'", "'Active'"],
    found: { active: [1] },
  },
  {
    engines: ['sqlite'],
    type: 'varchar(64) COLLATE NOCASE',
    rows: ["'active'", "'Active'"],
    found: { active: [1] },
  },
  {
    engines: ['sqlite'],
    type: '',
    rows: ["'active'", '1', '1.5', 'NULL'],
    found: { active: [1], 1: [2], '1.5': [3], unknown: [4] },
  },
];

/** Columns for `account_id`. */
const IDS: readonly Kind[] = [
  {
    type: 'bigint',
    rows: ['1', '9007199254740993', '-9223372036854775808', 'NULL', '0'],
    found: {
      1: [1],
      '9007199254740993': [2],
      '9007199254740992': [],
      '-9223372036854775808': [3],
      0: [5],
      '-0': [5],
    },
  },
  {
    type: 'integer',
    rows: ['1', '2147483647'],
    found: {
      '2147483648': [],
      '9223372036854775808': [],
      [`1${'0'.repeat(39)}`]: [],
      [`-${'9'.repeat(40)}`]: [],
      '001': [1],
    },
  },
  {
    type: 'varchar(64)',
    rows: ["'a1'", "'A1'", "'1'", "'01'"],
    found: { a1: [1], A1: [2], 1: [3], '01': [4], '🐘': [] },
  },
  {
    engines: ['postgresql'],
    type: 'uuid',
    rows: ["'0b6f3c9e-1d5a-4b0e-9a53-0d4f9f1f7c11'"],
    found: { 1: [], '0b6f3c9e-1d5a-4b0e-9a53-0d4f9f1f7c11': [1] },
  },
  {
    engines: ['mariadb'],
    type: 'bigint unsigned',
    rows: ['18446744073709551615'],
    found: { '18446744073709551615': [1], '18446744073709551616': [], '-1': [] },
  },
];

const FIELDS = { enabled: FLAGS, status: WORDS, account_id: IDS };

describeEachEngine('A filter', (engine) => {
  const cases = Object.entries(FIELDS).flatMap(([field, kinds]) =>
    kinds
      .filter(({ engines = [engine] }) => engines.includes(engine))
      .map((kind, index) => ({
        ...kind,
        field,
        name: field === 'enabled' ? 'cron' : 'jobs',
        table: `${field}_${index}`,
      })),
  );
  let list: ListPanel;
  let token: string;

  beforeAll(async () => {
    list = await startListPanel(engine, async (knex) => {
      if (engine !== 'postgresql') return;
      await knex.raw("CREATE TYPE word_kind AS ENUM ('gone', 'active')");
      await knex.raw('CREATE DOMAIN positive AS integer CHECK (value > 0)');
    });
    token = await list.panel.token();
  });

  test.each(cases)(
    'on $field finds the values of a column of the type $type ($table)',
    async ({ field, type, rows, found, name, table }) => {
      const { knex } = list.database;
      await knex.raw(`CREATE TABLE ${table} (id integer PRIMARY KEY, schedule varchar(9), type varchar(9),
        ${field === 'status' ? '' : 'status varchar(9),'} ${field} ${type})`);
      for (const [row, value] of rows.entries()) {
        await knex.raw(`INSERT INTO ${table} (id, ${field}) VALUES (${row + 1}, ${value})`);
      }
      const other = await startPanel({
        db: knex,
        sources: { [name]: { table } },
        rateLimit: { requests: 10_000 },
      });
      // Each of these panels has a document of its own, and comparing with it would take longer than the rest of the
      // test.
      const headers = { Authorization: `Bearer ${token}` };
      try {
        for (const [wanted, ids] of Object.entries(found)) {
          const { status, body } = await readAnswer(
            await fetch(`${other.url}/api/v1/${pathOf(name, { [field]: wanted })}`, { headers }),
          );
          const items = body.data?.items.map(({ id }: { id: number }) => id);
          expect([wanted, status, items]).toEqual([wanted, 200, ids]);
        }
      } finally {
        await other.close();
      }
    },
  );
});
