import { createInstallation } from '../../../lib/Installation';
import { PanelReader } from '../../../lib/requests/PanelReader';
import type { Limited } from '../../../lib/requests/RequestLimits';
import { bindingTo } from '../../../lib/tokens/TokenRecord';
import { operations } from '../../../routes';
import { describeOneEngine, freshDatabase } from '../../fixture/databases';
import { PATIENT_MS } from '../../fixture/panel';
import { recordingLogger } from '../../fixture/recordingLogger';

const OWNERS = 2;
const FIELDS = ['id', 'owner_id', 'username', 'status', 'created_at'] as const;

/** Each of the first accounts owns more than can be looked up. */
const ROWS = Array.from({ length: 20_010 }, (_, index) => ({
  id: index + 1,
  owner_id: index < OWNERS ? null : (index % OWNERS) + 1,
  username: `user${index + 1}`,
  status: 'active',
  created_at: '2024-01-01T00:00:00Z',
}));

describeOneEngine('A reader for a counted request', (engine) => {
  test('shares no reading between different accounts, even if these are too many to be looked up', async () => {
    const { knex: db } = await freshDatabase(engine);
    const sources = { accounts: { fields: FIELDS, rows: () => ROWS } };
    const installation = createInstallation({ db, sources, logger: recordingLogger().logger }, operations);
    const { accounts, database } = installation;
    const sharing = async (id: string) => {
      const named = bindingTo([{ id, username: null, createdAt: null }], true);
      const token = { id: 1, ...(await accounts.bind(named, database.run, PATIENT_MS)) };
      const limited = { token, settings: { suspendedAccounts: 'allow' } } as unknown as Limited;
      return new PanelReader(limited, installation).sharing();
    };
    const [first, second, again] = [await sharing('1'), await sharing('2'), await sharing('1')];
    expect([first, second].map(({ isLasting }) => isLasting)).toEqual([false, false]);
    expect(first).toEqual(again);
    expect(first).not.toEqual(second);
  });
});
