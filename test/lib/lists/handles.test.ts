import { freshDatabase, openHandle, type TestDatabase } from '../../fixture/databases';
import { pathOf } from '../../fixture/listPanel';
import { startPanel } from '../../fixture/panel';

describe('A filter over a handle whose character set is', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await freshDatabase('mariadb');
    const columns = ['utf8mb4', 'utf8mb3', 'latin1'].map((set, index) => {
      const name = ['type', 'status', 'account_id'][index];
      return `${name} VARCHAR(64) CHARACTER SET ${set}`;
    });
    await database.knex.raw(`CREATE TABLE jobs (id INT PRIMARY KEY, ${columns})`);
    await database.knex('jobs').insert([
      { id: 1, type: 'müller', status: 'müller', account_id: 'müller' },
      { id: 2, type: 'muller', status: 'muller', account_id: 'muller' },
      { id: 3, type: '🐘', status: '?', account_id: '?' },
    ]);
  });

  test.each(['utf8mb4', 'utf8', 'latin1'])(
    '%s finds every matching row, and fails for no word',
    async (charset) => {
      const { hostname: host, port, username: user, password, pathname } = new URL(database.url);
      const connection = { host, port: Number(port), user, password, database: pathname.slice(1), charset };
      const knex = openHandle({ client: 'mysql2', connection });
      const panel = await startPanel({ db: knex });
      const token = await panel.token();
      for (const field of ['type', 'status', 'account_id']) {
        for (const [word, ids] of [
          ['müller', [1]],
          ['muller', [2]],
          ['漢字', []],
          ['🧿', []],
          ['muller,🧿', [2]],
        ] as const) {
          const { status, body } = await panel.get(`/api/v1/${pathOf('jobs', { [field]: word })}`, token);
          const found = body.data?.items.map(({ id }: { id: number }) => id);
          expect([field, word, status, found]).toEqual([field, word, 200, ids]);
        }
      }
    },
  );
});
