import { writeSync } from 'node:fs';

const PAUSE_MS = 5;

/** Writes all of the text, however slowly it is read. Throws when nobody can read it. */
export function writeFully(descriptor: 1 | 2, text: string): void {
  let rest: Uint8Array = Buffer.from(text);
  while (rest.length > 0) rest = rest.subarray(writeSome(descriptor, rest));
}

function writeSome(descriptor: number, bytes: Uint8Array): number {
  try {
    return writeSync(descriptor, bytes);
  } catch (error) {
    // The other end of a non-blocking pipe has not read enough yet.
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    return 0;
  }
}
