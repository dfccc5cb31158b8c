import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { type HostProcess, startHost } from '../../fixture/processes/hostProcess';
import { isWhole } from '../../prove/scale';

const ME = '/api/v1/me.php';
const ROUNDS = isWhole ? 120 : 36;
const AT_ONCE = 6;

describeEachEngine('A token that one process revokes while two answer its requests', (engine) => {
  let database: TestDatabase;
  let revoker: HostProcess;
  let other: HostProcess;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    [revoker, other] = await Promise.all([startHost(database), startHost(database)]);
  });

  test('is refused by both to every request that starts after the revocation', async () => {
    const early = new Set<string>();
    const late = new Set<string>();

    async function round(): Promise<void> {
      const { token, record } = await revoker.create();
      const ask = async (host: HostProcess, seen: Set<string>) => {
        const { status, body } = await host.get(ME, token);
        seen.add(`${status} ${body.error?.code ?? ''}`.trim());
      };
      const inFlight = [other, revoker, other].map((host) => ask(host, early));
      await revoker.revoke(record.id);
      await Promise.all([other, revoker, other].map((host) => ask(host, late)));
      await Promise.all(inFlight);
    }

    for (let done = 0; done < ROUNDS; done += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, round));
    expect([...late]).toEqual(['401 token_revoked']);
    expect([...early].filter((outcome) => outcome !== '200' && outcome !== '401 token_revoked')).toEqual([]);
    expect(early).toContain('200');
  });
});
