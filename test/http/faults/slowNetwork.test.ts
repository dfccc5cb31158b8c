import { setTimeout as sleep } from 'node:timers/promises';
import { knex as connect } from 'knex';
import { createPanelApi } from '../../../index';
import { freshDatabase } from '../../fixture/databases';
import { QUIET } from '../../fixture/faults/ownDatabase';
import { silentProxy } from '../../fixture/faults/silentProxy';
import { handleSettings } from '../../fixture/handleSettings';
import { AUTHOR, startPanel } from '../../fixture/panel';
import { recordingLogger } from '../../fixture/recordingLogger';

const ME = '/api/v1/me.php';
const REQUESTS = 60;

test.each(['mariadb', 'postgresql'] as const)(
  'Over a network that takes 200 ms to %s and back, a single connection answers 40 requests a second',
  async (engine) => {
    const database = await freshDatabase(engine);
    const { tokens } = createPanelApi({ db: database.knex, logger: recordingLogger().logger });
    const { token } = await tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR);
    const url = new URL(database.url);
    const proxy = await silentProxy(Number(url.port), 100);
    url.port = String(proxy.port);
    const knex = connect({
      ...handleSettings({ engine, url: url.href }),
      ...QUIET,
      pool: { min: 0, max: 2 },
    });
    const panel = await startPanel({ db: knex, migrate: false });
    try {
      const answers: Promise<number>[] = [];
      for (let request = 0; request < REQUESTS; request += 1) {
        answers.push(panel.get(ME, token).then(({ status }) => status));
        await sleep(25);
      }
      expect(await Promise.all(answers)).toEqual(answers.map(() => 200));
    } finally {
      await panel.close();
      await panel.api.usage.flush();
      await knex.destroy();
      proxy.close();
      await database.drop();
    }
  },
);
