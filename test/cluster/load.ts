import { setTimeout as sleep } from 'node:timers/promises';
import type { HostProcess } from '../fixture/processes/hostProcess';

/** A request of a load, and what came back. */
export interface Asked {
  /** The position of the panel's process in the list of hosts. */
  readonly host: number;
  readonly path: string;
  /** When it was sent and answered, by `performance.now()`. */
  readonly sentMs: number;
  readonly answeredMs: number;
  /** Null if the connection ended without an answer. */
  readonly status: number | null;
  /** The error's code, if the answer is an error. */
  readonly code: string | null;
  /** The number of items, if the answer is a list. */
  readonly items: number | null;
  /** The request's id, as the answer says it. */
  readonly requestId: string | null;
}

export interface Load {
  /** What was asked so far. */
  readonly asked: readonly Asked[];
  /** Resolves when this many more requests that were sent after the call were answered with 200. */
  untilGood(requests: number): Promise<void>;
  /** Ends the load, waits for the last answers and returns everything that was asked. */
  stop(): Promise<readonly Asked[]>;
}

interface LoadSettings {
  readonly token: string;
  readonly paths: readonly string[];
  /** Clients per process. Default: 2. */
  readonly clients?: number;
  /** The pause of a client after an answer, in milliseconds. Default: 10. */
  readonly pauseMs?: number;
}

const PATIENCE_MS = 60_000;

/** Asks each process with several clients at once until the load is stopped. */
export function startLoad(
  hosts: readonly HostProcess[],
  { token, paths, clients = 2, pauseMs = 10 }: LoadSettings,
): Load {
  const asked: Asked[] = [];
  let stopped = false;
  const client = async (host: number) => {
    for (let turn = 0; !stopped; turn += 1) {
      const path = paths[turn % paths.length]!;
      asked.push({ host, ...(await ask(hosts[host]!, path, token)) });
      await sleep(pauseMs);
    }
  };
  const ends = hosts.flatMap((_, host) => Array.from({ length: clients }, () => client(host)));
  return {
    asked,
    async untilGood(requests) {
      const since = performance.now();
      const good = () => asked.filter(({ status, sentMs }) => status === 200 && sentMs >= since).length;
      while (good() < requests) {
        if (performance.now() - since > PATIENCE_MS)
          throw new Error(`Not ${requests} good answers in a minute.`);
        await sleep(20);
      }
    },
    async stop() {
      stopped = true;
      await Promise.all(ends);
      return asked;
    },
  };
}

/** Sends one request. */
export async function ask(to: HostProcess, path: string, token: string): Promise<Omit<Asked, 'host'>> {
  const sentMs = performance.now();
  const answer = await to.get(path, token).catch(() => null);
  return {
    path,
    sentMs,
    answeredMs: performance.now(),
    status: answer?.status ?? null,
    code: answer?.body?.error?.code ?? null,
    items: answer?.body?.data?.items?.length ?? null,
    requestId: answer?.headers.get('x-request-id') ?? null,
  };
}

/** The statuses and codes of the answers, with their numbers, such as `{ '200': 340, '503 unavailable': 12 }`. */
export function outcomes(asked: readonly Pick<Asked, 'status' | 'code'>[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status, code } of asked) {
    const outcome = [status, code].filter((part) => part !== null).join(' ') || 'no answer';
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

/** The lists that do not have this number of items although they were answered with 200. */
export function wrongLists(asked: readonly Asked[], items: number): readonly Asked[] {
  return asked.filter((one) => one.status === 200 && one.items !== null && one.items !== items);
}

/** The longest time between two good answers, or before the first, in milliseconds. */
export function longestOutageMs(asked: readonly Asked[]): number {
  const good = asked.filter(({ status }) => status === 200).map(({ answeredMs }) => answeredMs);
  const times = [Math.min(...asked.map(({ sentMs }) => sentMs)), ...good.toSorted((a, b) => a - b)];
  return Math.max(0, ...times.slice(1).map((time, index) => time - times[index]!));
}

/** The ids of the answered requests that have not exactly one line in the logs of the hosts. */
export async function notLoggedOnce(
  hosts: readonly HostProcess[],
  asked: readonly Asked[],
): Promise<readonly string[]> {
  // A line is written after its answer.
  await sleep(500);
  const lines = new Map<string, number>();
  for (const host of hosts)
    for (const [, id] of host
      .printed()
      .matchAll(/^\{"message":"panel-api request".*?"request_id":"([^"]+)"/gm))
      lines.set(id!, (lines.get(id!) ?? 0) + 1);
  return asked.flatMap(({ requestId }) => (requestId && lines.get(requestId) !== 1 ? [requestId] : []));
}
