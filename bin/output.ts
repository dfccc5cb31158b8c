import { fstatSync, statSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import { printable } from '../lib/errors/printable';
import { CommandFailure } from './exit';

/** Prints text for people on standard output. Throws a CommandFailure when it cannot be written. */
export function print(text: string): void {
  write(printableText(text));
}

/** Prints a value for scripts on standard output. Throws a CommandFailure when it cannot be written. */
export function printJson(value: unknown): void {
  write(jsonText(value));
}

/** Prints words beside the output on standard error, if they can be written. */
export function printNote(text: string): void {
  try {
    writeFully(2, `${printableText(text)}\n`);
  } catch {
    // There is nobody left to tell.
  }
}

function write(text: string): void {
  try {
    writeFully(1, `${text}\n`);
  } catch {
    throw new CommandFailure('output', 'The output cannot be written.');
  }
}

const GAP = '  ';

const graphemes = new Intl.Segmenter();

/** Rows under headings, in columns. Whatever a cell holds, it stays on its line and harms no terminal. */
export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  return aligned([headings, ...rows]);
}

/** Names and values, one pair on each line. */
export function formatFacts(facts: Readonly<Record<string, string>>): string {
  return aligned(Object.entries(facts));
}

function aligned(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((cells) => cells.map((cell) => printable(cell, 1000)));
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((cells) => width(cells[column] ?? ''))));
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => cell + ' '.repeat((widths?.[column] ?? 0) - width(cell)))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}

function width(cell: string): number {
  return [...graphemes.segment(cell)].length;
}

const UNPRINTABLE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * JSON that is safe on a terminal and means the same: what `JSON.stringify` leaves as it is, DEL, C1 controls and
 * bidirectional marks among it, comes as `\uXXXX`.
 */
export function jsonText(value: unknown): string {
  // Within strings line feeds are escaped already: those that are left stand between the lines.
  return JSON.stringify(value, null, 2).replace(UNPRINTABLE, escapeUnits);
}

function escapeUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}

const LONGEST_LINE = 100_000;

/** Several lines that are safe on a terminal: their line ends are the only control characters that stay. */
export function printableText(text: string): string {
  return text
    .split('\n')
    .map((line) => printable(line, LONGEST_LINE))
    .join('\n');
}

const PAUSE_MS = 5;

/** Writes all of the text, however slowly it is read. Throws when nobody can read it. */
function writeFully(descriptor: 1 | 2, text: string): void {
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

/**
 * Drops what others print on standard output, from now on: a panel's configuration may greet and knex may log a
 * driver's error, where scripts rely on finding nothing but the command's own output.
 */
export function silenceStdout(): void {
  const dropped = new Writable({ write: (_chunk, _encoding, done) => done() });
  Object.defineProperty(process, 'stdout', { get: () => dropped, configurable: true });
}

/** The text without the URLs in it: one that was mistyped into the wrong place carries the database's password. */
export function withoutUrls(text: string): string {
  return text.replace(/[a-z][a-z0-9+.-]*:\/\/[^\n]*/gi, '…');
}

/** Whether standard output goes nowhere: to /dev/null, which Node.js also puts in the place of a closed one. */
function isDiscarded(): boolean {
  return fstatSync(1).rdev === statSync('/dev/null').rdev;
}

/** Refuses to make a token that nobody would see. Throws a CommandFailure. */
export function refuseDiscarded(): void {
  if (isDiscarded()) {
    throw new CommandFailure('output', 'Standard output goes nowhere: nobody would see the token.');
  }
}
