import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { engines, freshDatabase, type TestDatabase } from '../fixture/databases';
import { handleSettings } from '../fixture/handleSettings';
import { AUTHOR, startPanel, type TestPanel } from '../fixture/panel';
import type { ChangeToMake } from '../fixture/processes/changeUntilKilled';
import { figure } from './figure';
import { isWhole } from './scale';

const PROCESSES = join(__dirname, '../fixture/processes');
const MOST_STATEMENTS = 25;

const CHANGES: readonly ChangeToMake['change'][] = isWhole
  ? ['create', 'update', 'rotate', 'revoke', 'settings']
  : ['revoke', 'settings'];
const MOMENTS: readonly ChangeToMake['moment'][] = isWhole ? ['before', 'after'] : ['after'];

describe.each(isWhole ? engines : (['mariadb'] as const))('A process that is killed (%s)', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex });
  });

  test.each(CHANGES)(
    'at any statement of %s leaves the change and its audit entry, or neither',
    async (change) => {
      const whole = await resultOf(panel, database, { change, statement: Infinity, moment: 'before' });
      expect(whole).toEqual({ signal: null, changed: expect.any(Number), entries: expect.any(Number) });
      expect(whole.changed * whole.entries).toBeGreaterThan(0);
      const nothing = { changed: 0, entries: 0 };
      let kills = 0;
      let done = 0;
      for (const moment of MOMENTS) {
        for (let statement = 1; statement <= MOST_STATEMENTS; statement += 1) {
          const { signal, ...left } = await resultOf(panel, database, { change, statement, moment });
          if (signal === null) break;
          kills += 1;
          const isDone = left.changed > 0;
          if (isDone) done += 1;
          const all = { changed: whole.changed, entries: whole.entries };
          expect({ statement, moment, left }).toEqual({ statement, moment, left: isDone ? all : nothing });
        }
      }
      figure(`${engine}, ${change}: killed, of these after it was committed`, `${kills}, ${done}`);
      // At least the begin, a change, an audit entry and the commit.
      expect(kills).toBeGreaterThanOrEqual(4 * MOMENTS.length);
      expect(done).toBeGreaterThan(0);
      expect(done).toBeLessThan(kills);
    },
  );
});

/** What a process that makes a change leaves: how it ended, and how many rows and audit entries are new or other. */
async function resultOf(panel: TestPanel, database: TestDatabase, change: Omit<ChangeToMake, 'id'>) {
  const { record } = await panel.api.tokens.create({ name: 'victim', scopes: ['*'] }, AUTHOR);
  const before = await read(panel);
  const signal = await changeUntilKilled(database, { ...change, id: record.id });
  const after = await read(panel);
  return {
    signal,
    changed: after.rows.filter((row) => !before.rows.includes(row)).length,
    entries: after.entries - before.entries,
  };
}

/** The tokens and the settings, and how many audit entries there are. */
async function read({ api }: TestPanel) {
  const tokens = (await api.tokens.list()).map(({ readAt: _readAt, ...stored }) => stored);
  return {
    rows: [...tokens, ...(await api.settings.describe())].map((row) => JSON.stringify(row)),
    entries: (await api.audit.list({ limit: 1 })).at(0)?.id ?? 0,
  };
}

async function changeUntilKilled(
  database: TestDatabase,
  change: ChangeToMake,
): Promise<NodeJS.Signals | null> {
  const child = spawn(
    process.execPath,
    ['--require', join(PROCESSES, 'loadTypescript.js'), join(PROCESSES, 'changeUntilKilled.ts')],
    {
      env: {
        ...process.env,
        HOST_SETTINGS: JSON.stringify({ knex: handleSettings(database) }),
        CHANGE_TO_MAKE: JSON.stringify({ ...change, statement: Math.min(change.statement, 1000) }),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const [code, signal] = await once(child, 'exit');
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`The process ended with ${code ?? signal}.`);
  return signal;
}
