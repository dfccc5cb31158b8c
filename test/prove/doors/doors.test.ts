import fc from 'fast-check';
import Koa from 'koa';
import { createMetrics } from '../../../index';
import type { Operation } from '../../../lib/fields/Operation';
import {
  type AssistantsPanel,
  startAssistantsPanel,
  toolCall,
} from '../../fixture/assistants/assistantsPanel';
import { engines, freshDatabase, isMysql } from '../../fixture/databases';
import { samplesOf } from '../../fixture/metricsPanel';
import { createPanelTables } from '../../fixture/panelTables';
import { figure } from '../figure';
import { type Door, endpointDoor, readAll } from '../input/listDoors';
import type { ListOracle, RightAnswer } from '../input/listOracle';
import { type Question, questionsOf } from '../input/listQuestions';
import { type GivenRow, lists, rowsOf, SOURCES } from '../input/listRows';
import { ListTables } from '../input/listTables';
import { printSeed, seed } from '../input/seed';
import { stopClock } from '../input/stoppedClock';
import { isWhole, scaled } from '../scale';
import { assistantsDoor, forAssistants } from './assistantsDoor';
import { BEARERS, type Bearer, EVERYTHING, foreignMarks, IDS, ownedRows } from './ownedRows';

const QUESTIONS = scaled({ fast: 4, full: 60 });
const CALLS = scaled({ fast: 4, full: 80 });
const ROUNDS = scaled({ fast: 1, full: 12 });

const ofAccounts = lists.filter(({ name }) => name !== 'settings');
const KINDS = (['numbers', 'texts'] as const).flatMap((kind) =>
  (isWhole ? engines : [engines.at(kind === 'texts' ? 0 : -1)!]).map((engine) => ({ engine, kind })),
);

/** Compares and sorts the keys of accounts as JavaScript does. */
const COLLATE = {
  mariadb: `COLLATE ${isMysql ? 'utf8mb4_0900_bin' : 'utf8mb4_nopad_bin'}`,
  postgresql: 'COLLATE "C"',
  sqlite: '',
};

describe.each(KINDS)('A token at each door ($engine, ids of accounts that are $kind)', ({ engine, kind }) => {
  const ids: readonly string[] = IDS[kind];
  const oracles = new Map<string, ListOracle>();
  const mounted = new Map<string, Koa.Middleware>();
  const tokens = new Map<Bearer, string>();
  let door: AssistantsPanel;
  let calls: readonly object[];
  /** What each bearer should get: its samples, and the result of each call. */
  const right = new Map<Bearer, readonly unknown[]>();
  let answers = 0;

  beforeAll(async () => {
    printSeed();
    stopClock();
    const database = await freshDatabase(engine);
    await createPanelTables(database.knex);
    for (const { name } of ofAccounts)
      for (const column of name === 'accounts' ? ['id', 'owner_id'] : ['account_id']) {
        const text = `varchar(64) ${column === 'id' ? COLLATE[engine] : ''}`;
        const added = [name, column, database.knex.raw(kind === 'numbers' ? 'bigint' : text)];
        await database.knex.raw('ALTER TABLE ?? RENAME COLUMN ?? TO ??', [name, column, `unused_${column}`]);
        await database.knex.raw('ALTER TABLE ?? ADD COLUMN ?? ?', added);
      }
    await database.knex.raw('CREATE UNIQUE INDEX accounts_id ON accounts (id)');
    const app = new Koa().use((ctx, next) => mounted.get(ctx.path)?.(ctx, next) ?? next());
    const rateLimit = { requests: 10_000_000, store: 'memory' } as const;
    // Services belong to no account.
    const sources = { ...SOURCES, services: false } as const;
    door = await startAssistantsPanel({ db: database.knex, rateLimit, sources }, {}, app);
    await holdRows(new ListTables(database));
  });

  afterAll(() => {
    jest.useRealTimers();
    figure(`${engine}, ${kind}: answers`, answers);
  });

  const idsOf = ({ accounts }: Bearer) => accounts && new Set(accounts.map((account) => ids[account]!));

  /** Holds the rows of one bearer after another, and notes what each should get. Then it holds all rows. */
  async function holdRows(tables: ListTables): Promise<void> {
    const rows = new Map<Operation, readonly GivenRow[]>();
    for (const [index, one] of lists.entries()) {
      const arbitrary = rowsOf(one, engine, await tables.columns(one));
      rows.set(one, ownedRows(one, fc.sample(arbitrary, { numRuns: 1, seed: seed + index })[0]!, ids));
    }
    const holdRowsOf = async (bearer: Bearer) => {
      const own = idsOf(bearer);
      const isOwn = ({ id, account_id = id ?? null }: GivenRow) => !own || own.has(String(account_id));
      for (const [one, all] of rows) oracles.set(one.name, await tables.hold(one, all.filter(isOwn)));
    };
    await holdRowsOf(EVERYTHING);
    calls = someCalls();
    for (const bearer of BEARERS) {
      const { accounts: _accounts, ...request } = bearer;
      const own = [...(idsOf(bearer) ?? [])];
      const binding = bearer.owner ? { accountId: own[0]! } : own.length > 0 && { accountIds: own };
      tokens.set(bearer, await door.panel.token({ ...request, ...binding }));
    }
    const path = mountMetrics(0);
    for (const bearer of BEARERS) {
      await holdRowsOf(bearer);
      // A token of all accounts, while there are no rows but those of the bearer.
      const isLimited = bearer.accounts && bearer.scopes[0] === '*';
      const scopes = isLimited ? ofAccounts.map(({ scope }) => scope) : bearer.scopes;
      const token = await door.panel.token({ scopes });
      const got = [await scrape(bearer, path, token)];
      for (const call of calls) got.push(await resultOf(bearer, call, token));
      right.set(bearer, got);
    }
    await holdRowsOf(EVERYTHING);
  }

  /** Calls whose results depend on the rows of a token alone. */
  function someCalls(): readonly object[] {
    const names = lists.flatMap(({ name, fields }) => {
      const searched = Object.keys(fields).filter((field) => fields[field]!.searchable);
      return oracles.get(name)!.items.flatMap((item) => searched.map((field) => String(item[field] || 'x')));
    });
    const name = fc.constantFrom(...names, ...names.map((one) => one.slice(0, 1)));
    const some = fc.oneof(
      fc.integer({ min: 1, max: 90 }).map((days) => toolCall('panel_problems', { days })),
      name.map((one) => toolCall('panel_find', { name: one })),
    );
    const ofLists = ofAccounts.flatMap(({ name: list, owner = 'account_id', fields }, index) => {
      const by = 'status' in fields ? 'status' : 'last_status';
      const sum = Object.keys(fields).filter((field) => fields[field]!.kind === 'bytes');
      return [
        toolCall('panel_count', { list, by, sum: sum.length > 0 ? sum : null }),
        toolCall('panel_list', { list, where: { [owner]: ids[index % ids.length] } }),
      ];
    });
    const description = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const fixed = [description, toolCall('panel_overview'), ...ofLists];
    return [...fixed, ...fc.sample(some, { numRuns: CALLS, seed })];
  }

  /** Mounts metrics that keep no reading yet. */
  function mountMetrics(maxAgeSeconds: number): string {
    const path = `/metrics${mounted.size}`;
    const metrics = createMetrics({ api: door.panel.api, path, maxAgeSeconds });
    mounted.set(path, metrics.routes() as Koa.Middleware);
    return path;
  }

  /** Counts an answer, which must not have the mark of a foreign row. */
  function own<T extends { readonly text: string }>(answer: T, bearer: Bearer): T {
    answers += 1;
    expect(foreignMarks(answer.text, bearer)).toEqual([]);
    return answer;
  }

  /** The result of a call. Rows of one rank have no order, and only some of them may be shown. */
  async function resultOf(bearer: Bearer, call: object, token = tokens.get(bearer)): Promise<unknown> {
    const { result } = own(await door.send(call, token), bearer).message;
    return JSON.parse(JSON.stringify(result.structuredContent ?? result), (_, value) => {
      if (Array.isArray(value)) return value.map((one) => JSON.stringify(one)).toSorted();
      return value?.items?.length < value?.rows ? { ...value, items: value.items.length } : value;
    });
  }

  /** The samples without those of the server, which change. */
  async function scrape(bearer: Bearer, path: string, token = tokens.get(bearer)): Promise<unknown> {
    const headers = { Authorization: `Bearer ${token}`, Connection: 'close' };
    const response = await fetch(door.panel.url + path, { headers });
    const samples = Object.entries(samplesOf(own({ text: await response.text() }, bearer).text));
    const changes = /^panel_(?:server_|tokens_|api_|source_(?:duration|age))/;
    return Object.fromEntries(samples.filter(([name]) => !changes.test(name)));
  }

  const doors: readonly ((bearer: Bearer) => Door)[] = [
    (bearer) =>
      endpointDoor(async (path) => own(await door.panel.get(`/api/v1/${path}`, tokens.get(bearer)), bearer)),
    (bearer) =>
      assistantsDoor(async (tool, args) => own(await door.call(tool, args, tokens.get(bearer)!), bearer)),
  ];

  function answerOf({ list, asked }: Question, bearer: Bearer): RightAnswer {
    const isSeen = [`${list}.read`, '*'].some((scope) => bearer.scopes.includes(scope));
    return isSeen ? oracles.get(list)!.answer(asked, idsOf(bearer)) : { error: 'scope_missing', status: 403 };
  }

  /** Repeats a check with generated input, beside a token of another account that does its worst. */
  async function repeat<T>(
    arbitrary: fc.Arbitrary<T>,
    numRuns: number,
    check: (input: T) => Promise<unknown>,
  ) {
    const worst: Bearer = { accounts: [6], scopes: ['*'] };
    tokens.set(worst, await door.panel.token({ accountId: ids[6]! }));
    let isOver = false;
    const loop = async () => {
      for (let turn = 0; !isOver; turn += 1) {
        const { name: list } = lists[turn % lists.length]!;
        await resultOf(worst, toolCall('panel_list', { list, limit: 50, where: { id: ids } }));
        await resultOf(worst, calls[turn % calls.length]!);
      }
    };
    const property = fc.asyncProperty(arbitrary, async (input) => void (await check(input)));
    const checked = fc.assert(property, { seed, numRuns, includeErrorInReport: true }).finally(() => {
      isOver = true;
    });
    await Promise.all([checked, loop(), ...(isWhole ? [loop(), loop()] : [])]);
  }

  const shuffled = fc.shuffledSubarray(BEARERS, { minLength: BEARERS.length });

  test('gets of each list what a plain filter finds, and no page behind a cursor of another token', async () => {
    const questions = fc
      .oneof(...lists.map((one) => questionsOf(one, oracles.get(one.name)!)))
      // An endpoint reads quotes, and assistants write none.
      .filter(({ asked }) => Object.values(asked).every((text) => text.split('"').length % 2 === 1));
    await repeat(fc.tuple(questions, shuffled), QUESTIONS, async ([question, bearers]) => {
      const expectAnswers = async (bearer: Bearer) => {
        const answer = answerOf(question, bearer);
        const [read, ofAssistants] = await Promise.all(doors.map((one) => readAll(one(bearer), question)));
        expect(read).toEqual(answer);
        expect(ofAssistants).toEqual(forAssistants(answer));
      };
      await Promise.all(bearers.map(expectAnswers));
      const [from, to] = bearers.filter((bearer) => 'items' in answerOf(question, bearer));
      const isSame = String([from?.accounts, from?.owner]) === String([to?.accounts, to?.owner]);
      for (const doorOf of isSame ? [] : doors) {
        const { next } = await doorOf(from!)(question, null);
        const { refused, error } = next ? Object(await doorOf(to!)(question, next)) : { error: 'cursor' };
        expect(refused ?? error).toContain('cursor');
      }
    });
  });

  test('gets from each tool the results of the rows of its accounts alone', async () => {
    await repeat(shuffled, 1, async (bearers) => {
      for (const [index, call] of calls.entries()) {
        const expectResult = async (bearer: Bearer) =>
          expect([call, await resultOf(bearer, call)]).toEqual([call, right.get(bearer)![index + 1]]);
        await Promise.all(bearers.map(expectResult));
      }
    });
    for (const bearer of BEARERS) {
      const isServer =
        !bearer.accounts && bearer.scopes.some((scope) => ['*', 'platform.read'].includes(scope));
      const { isError = false } = Object(await resultOf(bearer, toolCall('panel_server')));
      expect([bearer, isError]).toEqual([bearer, !isServer]);
    }
  });

  test('has the samples of its rows alone, after other tokens and at once with them', async () => {
    const expectSamples = async (bearer: Bearer, path: string) =>
      expect(await scrape(bearer, path)).toEqual(right.get(bearer)![0]);
    await repeat(shuffled, ROUNDS, async (bearers) => {
      const [kept, notKept] = [mountMetrics(3600), mountMetrics(0)];
      for (const bearer of bearers) await expectSamples(bearer, kept);
      await Promise.all([...bearers, ...bearers].map((bearer) => expectSamples(bearer, notKept)));
    });
    const all = [...right.values()].map(([samples]) => JSON.stringify(samples));
    expect(new Set(all).size).toBe(all.length);
    expect(all.filter((text) => !text.includes('source_up') || /source_up[^:]*:0/.test(text))).toEqual([]);
  });
});
