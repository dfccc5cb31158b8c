import { readFileSync } from 'node:fs';
import type { PrivateServer } from '../servers/PrivateServer';

/** Stops a server in its tracks, with the processes in which PostgreSQL serves its clients; gives what lets it go on. */
export function freeze({ pid }: PrivateServer): () => void {
  if (pid === undefined) throw new Error('The server is not running.');
  const frozen = new Set<number>();
  const stop = (one: number) => {
    process.kill(one, 'SIGSTOP');
    frozen.add(one);
  };
  // The first one first: it makes the others.
  stop(pid);
  for (const one of childrenOf(pid)) stop(one);
  return () => {
    // Those of a server that was killed meanwhile would stay as they are for ever.
    for (const one of frozen) goOn(one);
  };
}

function goOn(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function childrenOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}
