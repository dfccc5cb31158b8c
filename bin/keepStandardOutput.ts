import { Writable } from 'node:stream';

/**
 * Drops what others print on standard output, from now on: a panel's configuration may greet and knex may log a
 * driver's error, where scripts rely on finding nothing but the command's own output.
 */
export function keepStandardOutput(): void {
  const dropped = new Writable({ write: (_chunk, _encoding, done) => done() });
  Object.defineProperty(process, 'stdout', { get: () => dropped, configurable: true });
}
