import fc from 'fast-check';
import type { Knex } from 'knex';
import { parseExactJson } from '../../../client/parseExactJson';
import type { Operation } from '../../../lib/operations/Operation';
import { operations } from '../../../routes';
import type { Engine } from '../../fixture/databases';
import { type ListPanel, pathOf, startListPanel } from '../../fixture/listPanel';
import { createPanelTables } from '../../fixture/panelTables';
import { figure } from '../figure';
import { isWhole, scaled } from '../scale';
import { tryInput } from './corpus';
import { ListOracle, type StoredRow } from './listOracle';
import { ACCOUNTS, type Question, questionsOf } from './listQuestions';
import { ORDERS, rowsOf } from './listRows';
import { printSeed, seed } from './seed';

const QUESTIONS = scaled({ fast: 150, full: 3000 });

/** The others have fields that the oracle cannot derive from a row, such as a masked command or the days left. */
const lists: readonly Operation[] = operations.filter(({ name }) => name in ORDERS);

/** Databases that compare and sort texts in different ways. */
const KINDS: readonly { readonly engine: Engine; readonly collation: string }[] = [
  { engine: 'sqlite', collation: 'binary' },
  ...(isWhole
    ? ([
        { engine: 'postgresql', collation: 'default' },
        { engine: 'mariadb', collation: 'utf8mb4_general_ci' },
        { engine: 'mariadb', collation: 'utf8mb4_unicode_520_nopad_ci' },
        { engine: 'mariadb', collation: 'utf8mb4_bin' },
      ] as const)
    : []),
];

describe.each(KINDS)('A list ($engine, collation $collation)', ({ engine, collation }) => {
  let list: ListPanel;
  const oracles = new Map<string, ListOracle>();
  const tokens = new Map<number, string>();

  beforeAll(async () => {
    printSeed();
    list = await startListPanel(
      engine,
      async (knex) => {
        if (engine === 'mariadb') await knex.raw(`ALTER DATABASE COLLATE ${collation}`);
        await createPanelTables(knex);
        for (const [index, operation] of lists.entries()) {
          const [rows] = fc.sample(rowsOf(operation, engine), { numRuns: 1, seed: seed + index });
          await insert(knex, engine, operation.name, rows!);
        }
      },
      Object.fromEntries(lists.map(({ name }) => [name, { orders: [...ORDERS[name]!] }])),
    );
    for (const operation of lists)
      oracles.set(
        operation.name,
        new ListOracle(operation, await stored(list.database.knex, engine, operation)),
      );
    for (const account of ACCOUNTS) tokens.set(account, await list.bound(account));
  });

  /** Reads all pages of an answer. */
  async function read({ list: name, account, asked, limit }: Question) {
    const token = account === null ? undefined : tokens.get(account);
    const items: unknown[] = [];
    let cursor: string | null = null;
    for (;;) {
      const paged = { ...(limit !== null && { limit: String(limit) }), ...(cursor !== null && { cursor }) };
      const { status, text } = await list.get(pathOf(name, { ...asked, ...paged }), token);
      // biome-ignore lint/suspicious/noExplicitAny: the test says what it expects of the body.
      const { data, error } = parseExactJson(text) as any;
      if (status !== 200) return { status, refused: error.parameter };
      if (!data.items || data.total !== undefined) {
        const { resource: _resource, items: _items, ...figures } = data;
        return { figures };
      }
      if (cursor !== null) expect(data.items).not.toEqual([]);
      items.push(...data.items);
      if (limit === null || data.next_cursor === null) return { items };
      // Only the last page may be shorter.
      expect(data.items).toHaveLength(limit);
      cursor = data.next_cursor;
    }
  }

  test('answers every question as an oracle that reads the table by itself', async () => {
    const kinds: Record<string, number> = {};
    const questions = fc.oneof(...lists.map((one) => questionsOf(one, oracles.get(one.name)!)));
    await tryInput({
      name: 'questions',
      arbitrary: questions,
      check: async (question) => {
        const right = oracles.get(question.list)!.answer(question.asked, question.account);
        const answer = await read(question);
        const kind = 'items' in right && right.items.length === 0 ? 'none' : Object.keys(right)[0]!;
        kinds[kind] = (kinds[kind] ?? 0) + 1;
        expect(answer).toEqual('refused' in right ? { status: 400, ...right } : right);
      },
      numRuns: QUESTIONS,
    });
    // Otherwise most questions were about nothing.
    expect(kinds.items).toBeGreaterThan(QUESTIONS / 4);
    figure(`${engine}, ${collation}: questions`, JSON.stringify(kinds));
  });
});

async function insert(
  knex: Knex,
  engine: Engine,
  table: string,
  rows: readonly Readonly<Record<string, unknown>>[],
) {
  // In PostgreSQL, a text without a zone would be a time of the session's.
  const inZone = (value: unknown) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:/.test(value) ? `${value}+00` : value;
  for (const row of rows) {
    const cells = Object.entries(row).map(([name, value]) => [
      name,
      engine === 'postgresql' ? inZone(value) : value,
    ]);
    await knex(table).insert(Object.fromEntries(cells));
  }
}

/** Reads a list's table with every column as the text that the database writes. */
async function stored(
  knex: Knex,
  engine: Engine,
  { name, fields }: Operation,
): Promise<readonly StoredRow[]> {
  const columns = await knex(name).columnInfo();
  const type = engine === 'mariadb' ? 'CHAR' : 'TEXT';
  const shown = Object.keys(fields).filter((field) => field in columns);
  return knex.transaction(async (session): Promise<StoredRow[]> => {
    if (engine === 'postgresql') await session.raw("SET LOCAL TIME ZONE 'UTC'");
    return session(name).select(
      shown.map((field) => session.raw(`CAST(?? AS ${type}) AS ??`, [field, field])),
    );
  });
}
