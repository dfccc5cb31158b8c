import { describeEachEngine } from '../../fixture/databases';
import { HISTORY } from '../../fixture/migrations/history';
import { migrateUntilKilled, onFreshDatabase, use } from '../../fixture/migrations/killed';
import { schemaOf } from '../../fixture/migrations/schemaOf';
import { figure } from '../figure';
import { isWhole } from '../scale';

const PROCESSES = 4;
const MOST_CHANGES = 50;

// A whole run ends the processes after each change. MariaDB commits every statement by itself, the others roll back what
// was not committed.
const STEP = isWhole ? { mariadb: 1, postgresql: 1, sqlite: 1 } : { mariadb: 3, postgresql: 12, sqlite: 12 };

describeEachEngine('Four processes that create the tables at once', (engine) => {
  test('leave tables that the next process completes, if each is killed after the same change', async () => {
    const whole = await onFreshDatabase(engine, async (database) => {
      await use(database);
      return schemaOf(database);
    });
    let all = 0;
    let killed = PROCESSES;
    for (let changes = 1; killed > 0; changes += STEP[engine]) {
      if (changes > MOST_CHANGES) throw new Error('The migrations make more changes than the test expects.');
      killed = await onFreshDatabase(engine, async (database) => {
        const ends = Array.from({ length: PROCESSES }, () => migrateUntilKilled(database, changes));
        const signals = await Promise.all(ends);
        await use(database);
        expect(await schemaOf(database)).toEqual(whole);
        expect(await database.knex('panel_api_migrations').orderBy('name').pluck('name')).toEqual(HISTORY);
        return signals.filter((signal) => signal === 'SIGKILL').length;
      });
      all += killed;
    }
    figure(`processes killed while four created the tables on ${engine}`, all);
    expect(all).toBeGreaterThan(PROCESSES);
  });
});
