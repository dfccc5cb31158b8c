import promises from 'node:fs/promises';
import { join } from 'node:path';
import { freshDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel } from '../../fixture/panel';
import { runDirectory } from '../../servers/serverUrl';

test('A change is made although the disk of the journal does not answer', async () => {
  const write = jest.spyOn(promises, 'appendFile').mockReturnValue(new Promise(() => {}));
  const { knex: db } = await freshDatabase('sqlite');
  const { api } = await startPanel({ db, journal: join(runDirectory(), `slow-${process.pid}`) });
  const { record } = await api.tokens.create({ name: 'test', scopes: ['*'], expiresAt: null }, AUTHOR);
  expect(await api.tokens.revoke(record.id, AUTHOR)).toMatchObject({ state: 'revoked' });
  expect(write).toHaveBeenCalledTimes(1);
  write.mockRestore();
});
