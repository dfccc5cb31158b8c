import { awayFromHourEnd, HOUR } from '../fixture/awayFromHourEnd';
import type { HostProcess } from '../fixture/processes/hostProcess';
import { ask, outcomes } from './load';

const ME = '/api/v1/me.php';

/** A limit that no load of these tests reaches. */
export const NO_LIMIT = { requests: 1_000_000, windowSeconds: HOUR };

/**
 * Creates, uses and revokes this many tokens, each use through another process than the revocation, and returns the
 * outcomes of the uses that began after the revocation had returned: with a promise that holds, only
 * `401 token_revoked`.
 */
export async function outcomesAfterRevocation(
  hosts: readonly HostProcess[],
  tokens: number,
): Promise<Readonly<Record<string, number>>> {
  const uses: Awaited<ReturnType<typeof ask>>[] = [];
  for (let turn = 0; turn < tokens; turn += 1) {
    const revoker = hosts[turn % hosts.length]!;
    const { token, record } = await revoker.create();
    await revoker.get(ME, token);
    await revoker.revoke(record.id);
    const others = hosts.filter((host) => host !== revoker);
    uses.push(...(await Promise.all(others.map((host) => ask(host, ME, token)))));
  }
  return outcomes(uses);
}

/** The outcomes of `limit` + 20 requests with a new token of this limit, sent through all processes at once. */
export async function outcomesOfBurst(
  hosts: readonly HostProcess[],
  limit: number,
): Promise<Readonly<Record<string, number>>> {
  const { token } = await hosts[0]!.create({ rateLimit: limit });
  await awayFromHourEnd();
  const requests = Array.from({ length: limit + 20 }, (_, index) =>
    ask(hosts[index % hosts.length]!, ME, token),
  );
  return outcomes(await Promise.all(requests));
}
