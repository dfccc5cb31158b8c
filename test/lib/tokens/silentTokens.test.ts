import type { Knex } from 'knex';
import { panelApiHere } from '../../fixture/command/panelApi';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { GRACE, isNamed, panelDaysBefore, simulateYear } from '../../fixture/integrations';
import { startPanel, type TestPanel } from '../../fixture/panel';
import { insertToken } from '../../fixture/tokenRows';

const DAY = 86_400;
const TODAY = Math.floor(Date.now() / 1000 / DAY);

describeEachEngine('The silent tokens', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex });
    await panel.api.tokens.list();
  });

  beforeEach(async () => {
    for (const name of ['tokens', 'rate_limits', 'usage']) await database.knex(`panel_api_${name}`).delete();
  });

  const count = (tokenId: number, day: number) => ({
    token_id: tokenId,
    day,
    endpoint: 'domains',
    status_class: 2,
    requests: 7,
  });

  /** Stores a token that was used on these days before today, with their counts. */
  const insert = async (id: number, ago: readonly number[], columns: object = {}) => {
    const used = ago.length === 0 ? {} : { last_used_at: (TODAY - Math.min(...ago)) * DAY + 100 };
    const created_at = (TODAY - 200) * DAY;
    await insertToken(database.knex, {
      id,
      name: `${id}`,
      scopes: 'domains.read',
      created_at,
      ...used,
      ...columns,
    });
    await database.knex.batchInsert(
      'panel_api_usage',
      ago.map((days) => count(id, TODAY - days)),
      100,
    );
  };

  /** The panel was used on each of the last 90 days. */
  const useDaily = (knex: Knex) =>
    knex.batchInsert(
      'panel_api_usage',
      range(1, 90).map((days) => count(0, TODAY - days)),
      100,
    );

  const range = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index);

  const silent = async () => {
    const { tokens } = await panel.api.tokens.page({ filter: 'silent', limit: 1000 });
    return tokens.map(({ id }) => id).toSorted((one, other) => one - other);
  };

  test('are none in a panel without counts', async () => {
    await insert(1, []);
    expect(await silent()).toEqual([]);
    expect((await panel.api.tokens.countFilters()).silent).toBe(0);
  });

  test('are those that the rule names, of 200 integrations on days of a year', async () => {
    const integrations = simulateYear(4, 200);
    const expectedOf: number[] = [];
    for (const today of [150, 364]) {
      for (const name of ['tokens', 'rate_limits', 'usage'])
        await database.knex(`panel_api_${name}`).delete();
      const at = (day: number) => (TODAY - today + day) * DAY + 3600;
      const tokens = integrations.flatMap((one) => one.tokens.filter(({ created }) => created < today));
      const rows = tokens.map(({ id, lineage, created, rotated }, index) => ({
        id,
        lineage,
        name: `${id}`,
        hash: Buffer.alloc(32, `${index} ${today}`),
        prefix: 'pnl_abcdef',
        created_by: 'tester',
        scopes: 'domains.read',
        created_at: at(created),
        ...(rotated !== null &&
          rotated < today && { rotated_at: at(rotated), expires_at: at(rotated + GRACE) }),
      }));
      const used = tokens.map(({ id, used: days }) => ({ id, days: days.filter((day) => day < today) }));
      const uses = used.flatMap(({ id, days }) => {
        const last = days.at(-1);
        return last === undefined ? [] : [{ token_id: id, window_start: 0, hits: 0, last_used_at: at(last) }];
      });
      const counts = used.flatMap(({ id, days }) =>
        days.filter((day) => day >= today - 90).map((day) => count(id, TODAY - today + day)),
      );
      const ofAll = panelDaysBefore(today).map((day) => count(0, TODAY - today + day));
      await database.knex.batchInsert('panel_api_tokens', rows, 50);
      await database.knex.batchInsert('panel_api_rate_limits', uses, 100);
      await database.knex.batchInsert('panel_api_usage', [...ofAll, ...counts], 100);
      const named = integrations.filter((one) => isNamed(one, today));
      // The newest token of a line that is not replaced yet.
      const heads = named.map(({ tokens: line }) => line.findLast(({ created }) => created < today)!.id);
      expectedOf.push(heads.length);
      expect(await silent()).toEqual(heads.toSorted((one, other) => one - other));
    }
    expect(expectedOf.every((number) => number > 5)).toBe(true);
  });

  test('are counted by the filter and shown with what needs attention', async () => {
    await useDaily(database.knex);
    await insert(1, range(5, 90));
    await insert(2, range(3, 90));
    await insert(3, range(1, 90));
    expect(await silent()).toEqual([1, 2]);
    expect((await panel.api.tokens.countFilters()).silent).toBe(2);
    expect((await panel.api.tokens.countFilters({ search: '#2' })).silent).toBe(1);
    const { silent: shown } = await panel.api.tokens.attention();
    expect([shown?.count, shown?.tokens.map(({ id }) => id)]).toEqual([2, [2, 1]]);
  });

  test('are left out if the counts cannot be read, and the log has the cause', async () => {
    await database.knex.schema.renameTable('panel_api_usage', 'unread');
    const { silent: counted } = await panel.api.tokens
      .countFilters()
      .finally(() => database.knex.schema.renameTable('unread', 'panel_api_usage'));
    expect(counted).toBeNull();
    const lines = panel.log.filter(({ message }) => message === 'panel-api silent tokens not read');
    expect(lines).toMatchObject([{ level: 'warn', fields: { cause_query: 'usage.days' } }]);
  });

  test('are judged by whole days, and not by those of a clock that was wrong', async () => {
    await useDaily(database.knex);
    await database.knex.batchInsert('panel_api_usage', [count(0, TODAY), count(0, 2_000_000_000)], 10);
    await insert(1, range(2, 90));
    await insert(2, range(3, 90));
    expect(await silent()).toEqual([2]);
  });

  test('are active', async () => {
    await useDaily(database.knex);
    await insert(1, range(5, 90), { revoked_at: TODAY * DAY });
    await insert(2, range(5, 90), { expires_at: (TODAY - 1) * DAY });
    expect(await silent()).toEqual([]);
  });

  test('are judged with those that they have replaced, and those that have replaced them', async () => {
    await useDaily(database.knex);
    const rotated = { rotated_at: (TODAY - 10) * DAY, expires_at: (TODAY + 10) * DAY };
    // The new one is used.
    await insert(10, range(5, 90), rotated);
    await insert(11, range(1, 4), { lineage: 10 });
    // The old one is still used.
    await insert(20, range(1, 90), rotated);
    await insert(21, [], { lineage: 20 });
    // None is used any more, and the new one was never.
    await insert(30, range(5, 90), rotated);
    await insert(31, [], { lineage: 30 });
    // The new one was revoked.
    await insert(40, range(8, 90), rotated);
    await insert(41, range(5, 7), { lineage: 40, revoked_at: (TODAY - 4) * DAY });
    // There were two rotations.
    await insert(50, range(40, 90), { ...rotated, expires_at: (TODAY - 30) * DAY });
    await insert(51, range(20, 39), { ...rotated, lineage: 50, expires_at: (TODAY - 10) * DAY });
    await insert(52, range(5, 19), { lineage: 50 });
    expect(await silent()).toEqual([31, 40, 52]);
  });

  test('are none on a Monday of a panel of working days', async () => {
    const workdays = range(1, 90).filter((days) => days % 7 !== 1 && days % 7 !== 2);
    await database.knex.batchInsert(
      'panel_api_usage',
      range(1, 90).map((days) => count(0, TODAY - days)),
      100,
    );
    await insert(1, workdays);
    expect(await silent()).toEqual([]);
  });

  test('are printed by token list --silent, which then exits with 6', async () => {
    await useDaily(database.knex);
    await insert(1, range(1, 90));
    const none = await panelApiHere(database.url, ['token', 'list', '--silent']);
    expect([none.code, none.stdout]).toEqual([0, 'No token matches.\n']);
    await insert(2, range(5, 90));
    const { code, stdout, stderr } = await panelApiHere(database.url, [
      'token',
      'list',
      '--silent',
      '--json',
    ]);
    expect([code, JSON.parse(stdout).map(({ id }: { id: number }) => id)]).toEqual([6, [2]]);
    expect(stderr).toContain('1 token was found.');
  });
});
