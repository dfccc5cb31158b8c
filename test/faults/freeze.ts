import { readFileSync } from 'node:fs';
import type { PrivateServer } from '../servers/PrivateServer';

/** Stops a server in its tracks, with the processes in which PostgreSQL serves its clients; gives what lets it go on. */
export function freeze({ pid }: PrivateServer): () => void {
  if (pid === undefined) throw new Error('The server is not running.');
  const signal = (name: NodeJS.Signals) => {
    // The first one first: it makes the others.
    for (const one of [pid, ...childrenOf(pid)]) process.kill(one, name);
  };
  signal('SIGSTOP');
  return () => signal('SIGCONT');
}

function childrenOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}
