import { isatty, WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import { relativeTime } from '../lib/time/relativeTime';
import { rfc3339OfSeconds } from '../lib/time/time';

export type Style = 'green' | 'yellow' | 'red' | 'dim';

/** Text for people, with a style that a terminal shows. */
export type Cell = string | { readonly text: string; readonly style: Style | null };

/** What shows the standard output. */
export interface Screen {
  /** The columns of the terminal; null if standard output is no terminal. */
  readonly width: number | null;
  readonly colours: boolean;
}

/** The width of a terminal that does not say its own, and of a help without a terminal. */
const USUAL_WIDTH = 80;

/** Standard output, and how the user wants it. */
export const screen: Screen = {
  width: isatty(1) ? new WriteStream(1).columns || USUAL_WIDTH : null,
  colours: showsColours(process.env, isatty(1)),
};

/** How wide the lines of `--help` are. */
export const helpWidth = screen.width ?? USUAL_WIDTH;

/** `FORCE_COLOR` goes before `NO_COLOR`, as in Node.js. */
export function showsColours(
  { FORCE_COLOR: force, NO_COLOR: none = '', TERM: terminal }: NodeJS.ProcessEnv,
  isTerminal: boolean,
): boolean {
  if (force !== undefined) return force !== '0' && force !== 'false';
  return isTerminal && none === '' && terminal !== 'dumb';
}

/** Writes text in a style. The text must be printable. */
export function styled(text: string, style: Style | null, { colours }: Screen = screen): string {
  return colours && style !== null ? styleText(style, text, { validateStream: false }) : text;
}

/** A time, and on a terminal its distance from now; `none` for null. Both are in seconds since 1970. */
export function timeText(seconds: number | null, now: number, none = 'never'): string {
  if (seconds === null) return none;
  const exact = rfc3339OfSeconds(seconds);
  return screen.width === null ? exact : `${exact} (${relativeTime(seconds, now)})`;
}
