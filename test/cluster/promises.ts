import { awayFromHourEnd, HOUR } from '../fixture/awayFromHourEnd';
import type { HostProcess } from '../fixture/processes/hostProcess';

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
  const counts: Record<string, number> = {};
  for (let turn = 0; turn < tokens; turn += 1) {
    const revoker = hosts[turn % hosts.length]!;
    const { token, record } = await revoker.create();
    await revoker.get(ME, token);
    await revoker.revoke(record.id);
    const others = hosts.filter((host) => host !== revoker);
    for (const { status, body } of await Promise.all(others.map((host) => host.get(ME, token)))) {
      const outcome = `${status} ${body.error?.code ?? ''}`.trim();
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
  }
  return counts;
}

/** Sends `limit` + 20 requests with a new token of this limit through all processes at once, and counts the statuses. */
export async function statusesOfBurst(
  hosts: readonly HostProcess[],
  limit: number,
): Promise<Readonly<Record<number, number>>> {
  const { token } = await hosts[0]!.create({ rateLimit: limit });
  await awayFromHourEnd();
  const requests = Array.from({ length: limit + 20 }, (_, index) =>
    hosts[index % hosts.length]!.get(ME, token),
  );
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(requests)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
