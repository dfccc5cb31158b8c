import fc from 'fast-check';
import type { Engine } from '../../fixture/databases';
import { type ListPanel, startListPanel } from '../../fixture/listPanel';
import { createPanelTables } from '../../fixture/panelTables';
import { figure } from '../figure';
import { isWhole, scaled } from '../scale';
import { tryInput } from './corpus';
import { endpointDoor, readAll } from './listDoors';
import type { ListOracle, RightAnswer } from './listOracle';
import { type Question, questionsOf } from './listQuestions';
import { ACCOUNTS, type GivenRow, lists, rowsOf, SOURCES } from './listRows';
import { ListTables } from './listTables';
import { printSeed, seed } from './seed';
import { stopClock } from './stoppedClock';

const QUESTIONS = scaled({ fast: 250, full: 3000 });

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
  let tables: ListTables;
  const generated = new Map<string, readonly GivenRow[]>();
  const oracles = new Map<string, ListOracle>();
  const tokens = new Map<number, string>();

  beforeAll(async () => {
    printSeed();
    stopClock();
    list = await startListPanel(
      engine,
      async (knex) => {
        if (engine === 'mariadb') await knex.raw(`ALTER DATABASE COLLATE ${collation}`);
        await createPanelTables(knex);
      },
      SOURCES,
    );
    tables = new ListTables(list.database);
    for (const [index, operation] of lists.entries()) {
      const arbitrary = rowsOf(operation, engine, await tables.columns(operation));
      const [rows] = fc.sample(arbitrary, { numRuns: 1, seed: seed + index });
      generated.set(operation.name, rows!);
      oracles.set(operation.name, await tables.hold(operation, rows!));
    }
    for (const account of ACCOUNTS) tokens.set(account, await list.bound(account));
  });

  afterAll(() => jest.useRealTimers());

  const ask = endpointDoor((path, { account }) =>
    list.get(path, account === null ? undefined : tokens.get(account)),
  );

  const rowsFor = ({ list: name, rows = generated.get(name)! }: Question) => rows;

  /** Compares the answer with the right one, and returns that. */
  async function check(question: Question): Promise<RightAnswer> {
    const operation = lists.find(({ name }) => name === question.list)!;
    const oracle = await tables.hold(operation, rowsFor(question));
    const { account } = question;
    const right = oracle.answer(question.asked, account === null ? null : new Set([String(account)]));
    expect(await readAll(ask, question)).toEqual(right);
    return right;
  }

  /** Whether the answer is another than the right one. */
  async function isWrong(question: Question): Promise<boolean> {
    try {
      await check(question);
      return false;
    } catch (error) {
      // A failure of the database, for example, says nothing.
      if (!(error instanceof Error && 'matcherResult' in error)) throw error;
      return true;
    }
  }

  /** A question that failed, with as few rows as let it fail. Another run has other rows. */
  async function withRows(question: Question): Promise<Question> {
    const all = rowsFor(question);
    let rows = all;
    for (const row of all) {
      const fewer = rows.filter((one) => one !== row);
      if (await isWrong({ ...question, rows: fewer })) rows = fewer;
    }
    return { ...question, rows };
  }

  test('answers every question as an oracle that reads the table by itself', async () => {
    const kinds: Record<string, number> = {};
    const shown = new Set<string>();
    await tryInput({
      // Not every database stores the rows of another.
      name: `questions-${engine}`,
      arbitrary: fc.oneof(...lists.map((one) => questionsOf(one, oracles.get(one.name)!))),
      check: async (question) => {
        const right = await check(question);
        const kind = 'items' in right && right.items.length === 0 ? 'none' : Object.keys(right)[0]!;
        kinds[kind] = (kinds[kind] ?? 0) + 1;
        if (kind === 'items') shown.add(question.list);
      },
      complete: withRows,
      numRuns: QUESTIONS,
    });
    // Otherwise most questions were about nothing.
    expect(kinds.items).toBeGreaterThan(QUESTIONS / 4);
    expect(shown.size).toBe(lists.length);
    if (isWhole)
      expect(Object.keys(kinds).toSorted()).toEqual(['error', 'figures', 'items', 'none', 'refused']);
    figure(`${engine}, ${collation}: questions`, JSON.stringify(kinds));
  });
});
