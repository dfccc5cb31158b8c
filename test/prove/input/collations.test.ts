import fc from 'fast-check';
import type { Knex } from 'knex';
import { describeEachEngine, type Engine, freshDatabase, isMysql } from '../../fixture/databases';
import { startPanel } from '../../fixture/panel';
import { figure } from '../figure';
import { isWhole, scaled } from '../scale';
import { printSeed, seed } from './seed';

/** How a column of keys compares texts. */
interface Kind {
  readonly name: string;
  /** The type of the column. */
  readonly type: string;
  /** SQL of the number of keys that differ as the column compares them in an order of the module's. */
  readonly different: string;
}

interface Answer {
  readonly data: { readonly items: readonly { readonly id: unknown }[]; readonly next_cursor: string | null };
}

/** How many sets of keys each collation gets at least, and each engine. Each is walked with and without a unique index. */
const WALKS = { collation: scaled({ fast: 1, full: 1 }), engine: scaled({ fast: 24, full: 192 }) };
/** How many collations of MariaDB a short run tries, beside those that are always tried. */
const SOME = 8;
const KEYS = 10;

/** Lists that can have any id; each is read from a table of its own. */
const LISTS = ['jobs', 'websites', 'email', 'databases', 'ssl', 'backups', 'cron', 'accounts'] as const;
const COLUMNS = [
  'type',
  'status',
  'address',
  'name',
  'engine',
  'common_name',
  'schedule',
  'domain',
  'username',
];

/** Parts of keys that some collation takes for equal, for nothing, for several letters, or in another order. */
const PARTS = [
  ...'abijuvwyzABIJ019 -_ßäÄåÅæøłıİėđ½①漢か',
  ...'aa ae ss SS ij ccs cscs dž ǆ ﬁ fi a\u0308 e\u0307 ａ １ カ ｶ 🐘 🐒 한 \u1112\u1161\u11ab'.split(' '),
  ...'\0\u0001\u0007\t\u007f\u0085\u00a0\u00ad\u0301\u0345\u0653\u200b\u200d\u202e\u2060\u3000\ufe0f',
];

const keysOf = (engine: Engine) =>
  fc
    .uniqueArray(
      fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
      { minLength: KEYS, maxLength: KEYS },
    )
    .map(([first = '', second = '', ...rest]) => [
      ...new Set([first, second, ...rest, first.toUpperCase(), second.toLowerCase()]),
    ])
    // PostgreSQL stores no NUL, and blanks alone are no id.
    .map((keys) =>
      keys.filter((key) => key.trim() !== '' && !(engine === 'postgresql' && key.includes('\0'))),
    );

const ALWAYS_TRIED =
  /^utf8mb4_(?:bin|nopad_bin|general_ci|general_nopad_ci|unicode_nopad_ci|roman_ci|uca1400_ai_ci)$/;

async function mariadbKinds(knex: Knex): Promise<readonly Kind[]> {
  const [rows] = await knex.raw(
    `SELECT ${isMysql ? 'COLLATION_NAME' : 'FULL_COLLATION_NAME'} AS name, CHARACTER_SET_NAME AS charset
    FROM information_schema.COLLATION_CHARACTER_SET_APPLICABILITY
    WHERE CHARACTER_SET_NAME <> 'binary' ORDER BY 1`,
  );
  const kinds = (rows as readonly { readonly name: string; readonly charset: string }[]).map(
    ({ name, charset }) => ({
      name,
      type: `varchar(40) CHARACTER SET ${charset} COLLATE ${name}`,
      different: 'COUNT(DISTINCT id)',
    }),
  );
  if (isWhole) return kinds;
  const [others = []] = fc.sample(fc.shuffledSubarray(kinds, { minLength: SOME, maxLength: SOME }), {
    numRuns: 1,
    seed,
  });
  return [...new Set([...kinds.filter(({ name }) => ALWAYS_TRIED.test(name)), ...others])];
}

const ICU = [
  'und-u-ks-level1',
  'und-u-ks-level2',
  'und-u-ka-shifted-ks-level1',
  'tr-u-ks-level1',
  'de-u-co-phonebk-ks-level1',
];

async function postgresqlKinds(knex: Knex): Promise<readonly Kind[]> {
  await knex.raw('CREATE EXTENSION citext');
  for (const [index, locale] of ICU.entries()) {
    await knex.raw(
      `CREATE COLLATION loose${index} (provider = icu, locale = '${locale}', deterministic = false)`,
    );
  }
  const different = 'COUNT(DISTINCT id)';
  return [
    ...ICU.map((locale, index) => ({
      name: locale,
      type: `text COLLATE loose${index}`,
      // The module sorts such a column by the bytes of its texts.
      different: 'COUNT(DISTINCT CAST(id AS text) COLLATE "C")',
    })),
    { name: 'und-x-icu', type: 'text COLLATE "und-x-icu"', different },
    { name: 'citext', type: 'citext', different },
  ];
}

const sqliteKinds = async (): Promise<readonly Kind[]> =>
  ['BINARY', 'NOCASE', 'RTRIM'].map((name) => ({
    name,
    type: `varchar(40) COLLATE ${name}`,
    different: 'COUNT(DISTINCT id COLLATE BINARY)',
  }));

const KINDS_OF = { mariadb: mariadbKinds, postgresql: postgresqlKinds, sqlite: sqliteKinds };

/** An INSERT that leaves out keys that the table has already. */
const INSERT: Readonly<Record<Engine, readonly [before: string, after: string]>> = {
  mariadb: ['INSERT IGNORE INTO', ''],
  postgresql: ['INSERT INTO', 'ON CONFLICT DO NOTHING'],
  sqlite: ['INSERT OR IGNORE INTO', ''],
};

describeEachEngine('Pages of keys of any collation', (engine) => {
  test(
    'have each row once, or 500 answers for keys that the database takes for equal',
    async () => {
      printSeed();
      const { knex } = await freshDatabase(engine);
      const kinds = await KINDS_OF[engine](knex);
      const walks = Math.max(WALKS.collation, Math.ceil(WALKS.engine / kinds.length));
      const given = fc.sample(keysOf(engine), { numRuns: walks * kinds.length, seed });
      const wrong: unknown[] = [];
      const counts = { collations: kinds.length, walks: 0, refused: 0 };

      const createTable = async (table: string, { type }: Kind, isUnique: boolean) => {
        await knex.schema.dropTableIfExists(table);
        const others = COLUMNS.map((column) => `${column} varchar(9)`).join(', ');
        await knex.raw(`CREATE TABLE ${table} (id ${type} NOT NULL, ${others}, enabled varchar(9))`);
        if (isUnique) await knex.raw(`CREATE UNIQUE INDEX ${table}_id ON ${table} (id)`);
      };
      const fill = async (table: string, keys: readonly string[]) => {
        const [before, after] = INSERT[engine];
        await knex(table).delete();
        const values = keys.map(() => "(?, 'x', 'x')").join(', ');
        await knex.raw(`${before} ${table} (id, type, status) VALUES ${values} ${after}`, keys);
      };
      const countOf = async (table: string, count: string): Promise<number> => {
        const [row] = await knex(table).select(knex.raw(`${count} AS rows_found`));
        return Number(row.rows_found);
      };

      // Two lists for each collation: its table has a unique index or has none.
      for (let start = 0; start < kinds.length; start += LISTS.length / 2) {
        const group = kinds.slice(start, start + LISTS.length / 2);
        const lists = group.flatMap((kind, index) =>
          [true, false].map((isUnique, other) => ({ kind, isUnique, name: LISTS[2 * index + other]! })),
        );
        for (const { name, kind, isUnique } of lists) await createTable(`keys_${name}`, kind, isUnique);
        const sources = Object.fromEntries(lists.map(({ name }) => [name, { table: `keys_${name}` }]));
        const panel = await startPanel({ db: knex, sources, rateLimit: { requests: 1_000_000 } });
        const headers = { Authorization: `Bearer ${await panel.token()}` };

        const walk = async (path: string) => {
          const ids: unknown[] = [];
          let cursor: string | null = '';
          while (cursor !== null && ids.length <= 2 * KEYS) {
            const answer = await fetch(`${panel.url}/api/v1/${path}${cursor && `&cursor=${cursor}`}`, {
              headers,
            });
            const { data } = (await answer.json()) as Answer;
            if (answer.status !== 200) return answer.status;
            ids.push(...data.items.map(({ id }) => id));
            cursor = data.next_cursor;
          }
          return ids;
        };

        for (let turn = 0; turn < walks; turn += 1) {
          for (const { name, kind, isUnique } of lists) {
            const set = kinds.indexOf(kind) * walks + turn;
            const keys = given[set] ?? [];
            const table = `keys_${name}`;
            await fill(table, keys);
            const rows = await countOf(table, 'COUNT(*)');
            const isAmbiguous = (await countOf(table, kind.different)) < rows;
            // Pages of one row end between any two keys.
            const limit = isUnique ? 1 + (set % 3) : 1;
            const order = set % 2 === 0 ? '' : '&order=desc';
            const found = await walk(`${name}.php?fields=id&limit=${limit}${order}`);
            counts.walks += 1;
            if (found === 500) counts.refused += 1;
            const hasEachRow = Array.isArray(found) && found.length === rows && new Set(found).size === rows;
            // Keys that the database takes for equal are apart if the module compares them by their bytes.
            const isRefused = isAmbiguous && !isUnique && found === 500;
            if (!hasEachRow && !isRefused)
              wrong.push({ collation: kind.name, isUnique, isAmbiguous, limit, order, rows, found, keys });
          }
        }
        await panel.close();
      }
      figure(`walks of pages on ${engine}`, JSON.stringify({ ...counts, wrong: wrong.length }));
      // Otherwise no key was equal to another under any collation.
      expect(engine !== 'mariadb' || counts.refused > 0).toBe(true);
      expect(wrong.slice(0, 5)).toEqual([]);
    },
    20 * 60_000,
  );
});
