import { setTimeout as sleep } from 'node:timers/promises';
import { engines, freshDatabase } from '../../fixture/databases';
import { startHost } from '../../fixture/processes/hostProcess';
import { figure } from '../figure';
import { isWhole, scaled } from '../scale';

const ME = '/api/v1/me.php';
const ROUNDS = scaled({ fast: 100, full: 200 });
const GRACE_SECONDS = 600;
/** The one change starts so much later than the other, at most. */
const LATEST_MS = 4;

describe.each(isWhole ? engines : (['mariadb'] as const))('A token (%s)', (engine) => {
  test('that is rotated and revoked at once is revoked, and has a valid successor only if it was rotated', async () => {
    const { knex, ...database } = await freshDatabase(engine);
    const hosts = await Promise.all([startHost(database), startHost(database)]);
    const outcomeOf = async (token: string) => {
      const answers = await Promise.all(hosts.map((host) => host.get(ME, token)));
      return answers.map(({ status, body }) => [status, body.error?.code].filter(Boolean).join(' '));
    };
    const counts = { rotated: 0, refused: 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      const { token, record } = await hosts[0]!.create();
      const delayMs = round % (2 * LATEST_MS + 1);
      const [rotated, revoked] = await Promise.allSettled([
        sleep(Math.max(0, delayMs - LATEST_MS)).then(() =>
          hosts[0]!.rotate(record.id, { graceSeconds: GRACE_SECONDS }),
        ),
        sleep(Math.max(0, LATEST_MS - delayMs)).then(() => hosts[1]!.revoke(record.id)),
      ]);
      const isRotated = rotated.status === 'fulfilled';
      counts[isRotated ? 'rotated' : 'refused'] += 1;
      expect(revoked.status).toBe('fulfilled');
      expect(await outcomeOf(token)).toEqual(['401 token_revoked', '401 token_revoked']);
      if (isRotated) expect(await outcomeOf(rotated.value!.token)).toEqual(['200', '200']);
      else expect(String(rotated.reason)).toContain('revoked');
      const actions = await knex('panel_api_audit_log').where({ token_id: record.id }).pluck('action');
      const expected = ['token.created', 'token.revoked', ...(isRotated ? ['token.rotated'] : [])];
      expect(actions.sort()).toEqual(expected);
      const valid = await knex('panel_api_tokens')
        .where({ lineage: record.id, revoked_at: null })
        .pluck('id');
      expect(valid.map(Number)).toEqual(isRotated ? [rotated.value!.record.id] : []);
    }
    figure(
      `${engine}: rotations beside a revocation, done and refused`,
      `${counts.rotated}, ${counts.refused}`,
    );
    expect(counts.rotated).toBeGreaterThan(0);
    expect(counts.refused).toBeGreaterThan(0);
  });
});
