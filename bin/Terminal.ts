import { userInfo } from 'node:os';
import type { Readable } from 'node:stream';
import { styleText } from 'node:util';
import type { Author } from '../lib/audit/AuditLog';
import { printable } from '../lib/errors/printable';
import { printableJson } from '../lib/json/json';
import { relativeTime, rfc3339OfSeconds } from '../lib/time/time';
import { CommandFailure } from './exit';

/** What the command reads from and writes to: the process, or a test. */
export interface Io {
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** The directory that the command is called in. */
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}

export interface OutputStream {
  /** Writes the whole text. Throws if it cannot be written. */
  readonly write: (text: string) => void;
  /** The columns of the terminal; null if it is none. */
  readonly width: number | null;
  /** Whether all that is written is lost. */
  readonly isDiscarded: boolean;
}

export type Style = 'green' | 'yellow' | 'red' | 'dim';

/** How standard output shows text for people. */
export interface Screen {
  /** The columns of the terminal; null if standard output is no terminal. */
  readonly width: number | null;
  readonly colours: boolean;
}

/** Lines without control characters, other than line ends and the command's own colours. */
export class SafeText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Whether a reader that has closed its end of the pipe, as `head` does, is no failure. */
type Reader = 'may leave' | 'must read';

/** The width of a terminal that does not say its own, and of a help without a terminal. */
export const USUAL_WIDTH = 80;
const LONGEST_LINE = 100_000;

/** One run of the command as its user sees it. */
export class Terminal {
  readonly io: Io;
  readonly screen: Screen;
  #isProgressShown = false;

  constructor(io: Io) {
    this.io = io;
    this.screen = { width: io.stdout.width, colours: showsColours(io.env, io.stdout.width !== null) };
  }

  /** The actor of the command's changes in the audit trail: the user who called sudo, if sudo was used. */
  get author(): Author {
    const { SUDO_USER: sudoer = '' } = this.io.env;
    // Any user can set the variable, so it is trusted only if the process belongs to root.
    const trusted = process.geteuid?.() === 0 && /^[a-z_][a-z0-9_.@-]{0,63}\$?$/i.test(sudoer);
    return { actor: trusted ? sudoer : accountName(), origin: 'cli' };
  }

  /** Prints a line, or several as SafeText, for people on standard output. Throws a CommandFailure if that fails. */
  print(text: string | SafeText, reader: Reader = 'may leave'): void {
    this.#write(shown(text), reader);
  }

  /** Prints JSON for scripts on standard output. Throws a CommandFailure if that fails. */
  printJson(value: unknown, reader: Reader = 'may leave'): void {
    this.#write(printableJson(value, 2), reader);
  }

  /** Prints a note of one line, or of several as SafeText, on standard error. Failures are ignored. */
  note(text: string | SafeText): void {
    if (this.#isProgressShown) this.progress(null);
    this.#tell(`${shown(text)}\n`);
  }

  /** Replaces the last line of standard error by this one, if it is a terminal; null removes it. */
  progress(text: string | null): void {
    if (this.io.stderr.width === null) return;
    this.#isProgressShown = text !== null;
    this.#tell(`\r\u001b[K${text === null ? '' : printable(text, 79)}`);
  }

  #tell(text: string): void {
    try {
      this.io.stderr.write(text);
    } catch {
      // There is no other place to report it.
    }
  }

  #write(text: string, reader: Reader): void {
    try {
      this.io.stdout.write(`${text}\n`);
    } catch (error) {
      if (reader === 'may leave' && (error as NodeJS.ErrnoException).code === 'EPIPE') return;
      throw new CommandFailure('output', 'The output cannot be written.');
    }
  }
}

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container the user id may have no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** `FORCE_COLOR` goes before `NO_COLOR`, as in Node.js. */
export function showsColours(
  { FORCE_COLOR: force, NO_COLOR: none = '', TERM: terminal }: NodeJS.ProcessEnv,
  isTerminal: boolean,
): boolean {
  if (force !== undefined) return force !== '0' && force !== 'false';
  return isTerminal && none === '' && terminal !== 'dumb';
}

/** Writes text in a style. The text must be printable. */
export function styled(text: string, style: Style | null, { colours }: Screen): string {
  return colours && style !== null ? styleText(style, text, { validateStream: false }) : text;
}

/** A time, on a terminal relative to now; `none` for null. Both are in seconds since 1970. */
export function timeText(seconds: number | null, now: number, { width }: Screen, none = 'never'): string {
  if (seconds === null) return none;
  return width === null ? rfc3339OfSeconds(seconds) : relativeTime(seconds, now);
}

// A name within the text must not begin a line of its own.
function shown(text: string | SafeText): string {
  return text instanceof SafeText ? text.text : printable(text, LONGEST_LINE);
}

/** Makes several lines safe for a terminal. No line may contain the line end of another text. */
export function safeLines(text: string): SafeText {
  return new SafeText(text.split('\n').map(shown).join('\n'));
}
