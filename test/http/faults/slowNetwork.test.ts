import { setTimeout as sleep } from 'node:timers/promises';
import { createPanelApi } from '../../../index';
import { freshDatabase } from '../../fixture/databases';
import { openThroughSilentProxy } from '../../fixture/faults/silentProxy';
import { AUTHOR, PATIENT_MS, startPanel } from '../../fixture/panel';
import { recordingLogger } from '../../fixture/recordingLogger';

const ME = '/api/v1/me.php';
const REQUESTS = 60;

test.each(['mariadb', 'postgresql'] as const)(
  'Over a network that takes 200 ms to %s and back, a single connection answers 40 requests a second',
  async (engine) => {
    const database = await freshDatabase(engine);
    const { tokens } = createPanelApi({
      db: database.knex,
      logger: recordingLogger().logger,
      deadlineMs: PATIENT_MS,
    });
    const { token } = await tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR);
    const { knex } = await openThroughSilentProxy(database, { min: 0, max: 2 }, 100);
    const panel = await startPanel({ db: knex, migrate: false });
    const answers: Promise<number>[] = [];
    for (let request = 0; request < REQUESTS; request += 1) {
      answers.push(panel.get(ME, token).then(({ status }) => status));
      await sleep(25);
    }
    expect(await Promise.all(answers)).toEqual(answers.map(() => 200));
    await panel.api.usage.flush();
  },
);
