import { createInstallation } from '../../../../lib/Installation';
import { operations } from '../../../../routes';
import { describeEachEngine, type Engine, type TestDatabase } from '../../../fixture/databases';
import { HISTORY } from '../../../fixture/migrations/history';
import { migrateUntilKilled, onFreshDatabase, use } from '../../../fixture/migrations/killed';
import { schemaOf, tablesOf } from '../../../fixture/migrations/schemaOf';
import { recordingLogger } from '../../../fixture/recordingLogger';
import { isWhole } from '../../../prove/scale';

// Seven tables, six indexes and the history's rows; an engine may need more statements for them.
const LEAST_CHANGES = 13 + HISTORY.length;
const MOST_CHANGES = 50;

// MariaDB commits every statement by itself. The others roll back what was not committed, wherever the process ended.
const EVERY = { mariadb: isWhole ? 1 : 2, postgresql: 6, sqlite: 6 } as const;

jest.setTimeout(120_000);

describeEachEngine('A process that is killed while it creates the tables', (engine) => {
  test('leaves tables that the next process completes, whichever statement was the last', async () => {
    const whole = await onFreshDatabase(engine, async (database) => {
      await use(database);
      return schemaOf(database);
    });
    const kills = await killAfterEach(engine, { every: EVERY[engine] }, async (database) => {
      await use(database);
      expect(await schemaOf(database)).toEqual(whole);
      expect(await database.knex('panel_api_migrations').orderBy('name').pluck('name')).toEqual(HISTORY);
    });
    expect(kills).toBeGreaterThan(LEAST_CHANGES - EVERY[engine]);
  });
});

describe('A process that is killed while it creates the tables', () => {
  test('leaves no table in MariaDB that `down` does not drop', async () => {
    // Between the statements of the test above.
    await killAfterEach('mariadb', isWhole ? { every: 1 } : { first: 2, every: 4 }, async (database) => {
      await migrationsOf(database).down();
      expect(await tablesOf(database)).toEqual([]);
    });
  });
});

/**
 * Kills one process after its first change or the one that is named, the next one after a later one and so on. Returns
 * after how many changes the last was killed.
 */
async function killAfterEach(
  engine: Engine,
  { first = 1, every: step }: { readonly first?: number; readonly every: number },
  check: (database: TestDatabase) => Promise<void>,
) {
  const wasKilledAfter = (changes: number) =>
    onFreshDatabase(engine, async (database) => {
      const signal = await migrateUntilKilled(database, changes);
      await check(database);
      return signal === 'SIGKILL';
    });
  for (let changes = first; changes <= MOST_CHANGES; changes += 2 * step) {
    const killed = await Promise.all([wasKilledAfter(changes), wasKilledAfter(changes + step)]);
    if (!killed[0]) return changes - step;
    if (!killed[1]) return changes;
  }
  throw new Error('The migrations make more changes than the test expects.');
}

function migrationsOf({ knex }: TestDatabase) {
  return createInstallation({ db: knex, logger: recordingLogger().logger }, operations).migrations;
}
