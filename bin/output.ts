import { writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import { printable } from '../lib/errors/printable';
import { CommandFailure } from './exit';

/** Prints text for people on standard output. Throws a CommandFailure if that fails. */
export function print(text: string): void {
  write(printableText(text));
}

/** Prints JSON for scripts on standard output. Throws a CommandFailure if that fails. */
export function printJson(value: unknown): void {
  write(jsonText(value));
}

/** Prints a note on standard error. Failures are ignored. */
export function printNote(text: string): void {
  try {
    writeFully(2, `${printableText(text)}\n`);
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

function write(text: string): void {
  try {
    writeFully(1, `${text}\n`);
  } catch {
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

/** A table row: its cells by their column headings. */
export type TableRow = Readonly<Record<string, string>>;

/** Formats rows as a table. Each cell stays on one line, and control characters are escaped. */
export function formatTable(rows: readonly TableRow[]): string {
  return aligned([Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]);
}

/** Formats names and values, one pair per line. */
export function formatFacts(facts: Readonly<Record<string, string>>): string {
  return aligned(Object.entries(facts));
}

const GAP = '  ';

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

const graphemes = new Intl.Segmenter();

function width(cell: string): number {
  return [...graphemes.segment(cell)].length;
}

const UNPRINTABLE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Returns equivalent JSON that is safe on a terminal: characters that `JSON.stringify` does not escape, such as DEL, C1
 * controls and bidirectional marks, are written as `\uXXXX`.
 */
export function jsonText(value: unknown): string {
  // JSON.stringify escapes line feeds within strings, so the remaining ones separate lines.
  return JSON.stringify(value, null, 2).replace(UNPRINTABLE, escapeUnits);
}

function escapeUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}

const LONGEST_LINE = 100_000;

/** Makes several lines safe for a terminal: their line ends are the only control characters left. */
export function printableText(text: string): string {
  return text
    .split('\n')
    .map((line) => printable(line, LONGEST_LINE))
    .join('\n');
}
