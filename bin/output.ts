import { writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import { isatty } from 'node:tty';
import { printable } from '../lib/errors/printable';
import { printableJson } from '../lib/json/json';
import { CommandFailure } from './exit';
import { SafeText } from './table';

/** Whether a reader that has closed its end of the pipe, as `head` does, is no failure. */
type Reader = 'may leave' | 'must read';

/** Prints a line, or several as SafeText, for people on standard output. Throws a CommandFailure if that fails. */
export function print(text: string | SafeText, reader: Reader = 'may leave'): void {
  write(shown(text), reader);
}

/** Prints JSON for scripts on standard output. Throws a CommandFailure if that fails. */
export function printJson(value: unknown, reader: Reader = 'may leave'): void {
  write(printableJson(value, 2), reader);
}

/** Prints a note of one line, or of several as SafeText, on standard error. Failures are ignored. */
export function printNote(text: string | SafeText): void {
  if (isProgressShown) showProgress(null);
  try {
    writeFully(2, `${shown(text)}\n`);
  } catch {
    // There is no other place to report it.
  }
}

let isProgressShown = false;

/** Replaces the last line of standard error by this one, if it is a terminal; null removes it. Failures are ignored. */
export function showProgress(text: string | null): void {
  if (!isatty(2)) return;
  isProgressShown = text !== null;
  try {
    writeFully(2, `\r\u001b[K${text === null ? '' : printable(text, 79)}`);
  } catch {
    // There is no other place to report it.
  }
}

/**
 * From now on discards what other code prints on standard output, such as a configuration's greeting or a driver's
 * error logged by knex. Scripts rely on the command's own output.
 */
export function silenceStdout(): void {
  const dropped = new Writable({ write: (_chunk, _encoding, done) => done() });
  Object.defineProperty(process, 'stdout', { get: () => dropped, configurable: true });
}

function write(text: string, reader: Reader): void {
  try {
    writeFully(1, `${text}\n`);
  } catch (error) {
    if (reader === 'may leave' && (error as NodeJS.ErrnoException).code === 'EPIPE') return;
    throw new CommandFailure('output', 'The output cannot be written.');
  }
}

/** Writes the whole text, even if it is read slowly. Throws if the other end is closed. */
function writeFully(descriptor: 1 | 2, text: string): void {
  let rest: Uint8Array = Buffer.from(text);
  while (rest.length > 0) rest = rest.subarray(writeSome(descriptor, rest));
}

const PAUSE_MS = 5;

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

const LONGEST_LINE = 100_000;

// A name within the text must not begin a line of its own.
function shown(text: string | SafeText): string {
  return text instanceof SafeText ? text.text : printable(text, LONGEST_LINE);
}

/** Makes several lines safe for a terminal. No line may contain the line end of another text. */
export function safeLines(text: string): SafeText {
  return new SafeText(text.split('\n').map(shown).join('\n'));
}
