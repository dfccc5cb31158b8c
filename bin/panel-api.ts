#!/usr/bin/env node
import { fstatSync, statSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import { isatty, WriteStream } from 'node:tty';
import { guardLoading } from './codeWarnings';
import { endWith, main } from './main';
import { type OutputStream, Terminal, USUAL_WIDTH } from './Terminal';

const PAUSE_MS = 5;

void run();

/** Runs one command, then ends the process explicitly, because a panel's configuration may keep it alive. */
async function run(): Promise<never> {
  const terminal = new Terminal({
    env: process.env,
    cwd: process.cwd(),
    get stdin() {
      return process.stdin;
    },
    stdout: outputOf(1),
    stderr: outputOf(2),
  });
  // Scripts rely on the command's own output, so what other code prints is discarded, such as a configuration's
  // greeting or a driver's error logged by knex.
  const dropped = new Writable({ write: (_chunk, _encoding, done) => done() });
  Object.defineProperty(process, 'stdout', { get: () => dropped, configurable: true });
  const end = (error: unknown): never => process.exit(endWith(error, terminal));
  guardLoading(end);
  // Node.js warns of what it does with the files of the panel, such as of types that it strips.
  process.removeAllListeners('warning');
  // An error of a configuration or a driver may contain secrets, so nothing of it is printed.
  process.on('uncaughtException', end);
  process.exit(await main(process.argv.slice(2), terminal));
}

function outputOf(descriptor: 1 | 2): OutputStream {
  return {
    write(text) {
      let rest: Uint8Array = Buffer.from(text);
      while (rest.length > 0) rest = rest.subarray(writeSome(descriptor, rest));
    },
    width: isatty(descriptor) ? (descriptor === 1 && new WriteStream(1).columns) || USUAL_WIDTH : null,
    get isDiscarded() {
      // Node.js replaces a closed standard output with /dev/null.
      return fstatSync(descriptor).rdev === statSync('/dev/null').rdev;
    },
  };
}

function writeSome(descriptor: number, bytes: Uint8Array): number {
  try {
    return writeSync(descriptor, bytes);
  } catch (error) {
    // The reader of a non-blocking pipe is not fast enough.
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    return 0;
  }
}
