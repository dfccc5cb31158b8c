import { setTimeout as sleep } from 'node:timers/promises';
import type { HostProcess } from '../../fixture/processes/hostProcess';
import { scaled } from '../scale';
import type { TokenLife } from './history';

const ME = '/api/v1/me.php';
const CLIENTS_PER_TOKEN = 4;
const USES_AFTER = scaled({ fast: 10, full: 25, long: 25 });
const PATIENCE_MS = 30_000;

export type Revoke = (id: number) => Promise<unknown>;

/** Creates a token, uses it all the time in all processes, and revokes it meanwhile. */
export async function liveToken(hosts: readonly HostProcess[], revoke: Revoke): Promise<TokenLife> {
  const created = await untilDone(() => hosts[0]!.create());
  const life: TokenLife = {
    createdMs: performance.now(),
    revokeSentMs: Infinity,
    revokedMs: Infinity,
    uses: [],
  };
  let isAbandoned = false;
  const client = async (number: number) => {
    for (let turn = number, late = 0; late < USES_AFTER && !isAbandoned; turn += 1) {
      const sentMs = performance.now();
      if (sentMs > life.revokedMs) late += 1;
      const outcome = await outcomeOf(hosts[turn % hosts.length]!, created.token);
      life.uses.push({ sentMs, answeredMs: performance.now(), outcome });
    }
  };
  const clients = Array.from({ length: CLIENTS_PER_TOKEN }, (_, number) => client(number));
  await sleep(20);
  life.revokeSentMs = performance.now();
  try {
    await untilDone(() => revoke(created.record.id));
    life.revokedMs = performance.now();
  } catch (error) {
    isAbandoned = true;
    throw error;
  } finally {
    await Promise.all(clients);
  }
  return life;
}

async function outcomeOf(host: HostProcess, token: string): Promise<string> {
  const answer = await host.get(ME, token).catch(() => null);
  if (answer === null) return 'no answer';
  return [answer.status, answer.body.error?.code].filter(Boolean).join(' ');
}

/** Repeats until it does not throw: the database may be stopped, and a busy machine starts it slowly. */
async function untilDone<T>(act: () => Promise<T>): Promise<T> {
  for (const startedAt = performance.now(); ; ) {
    try {
      return await act();
    } catch (error) {
      if (performance.now() - startedAt > PATIENCE_MS) throw error;
      await sleep(100);
    }
  }
}
