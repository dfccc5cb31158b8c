import { HIDDEN, shownPath } from './harmlessText';
import { CUT, SimpleCommand } from './SimpleCommand';

/** How many characters are read. Few crontabs have longer lines, and a list has many rows. */
const MOST_CHARACTERS = 500;
/** How many words are read. More would take too long, because a list has many rows. */
const MOST_WORDS = 60;
/** How deep quoted commands may be nested. */
const MOST_NESTED = 3;
/** Everything up to the end of the line, or to the % that begins input for crond, except in formats of `date`. */
const FIRST_LINE = /(?:\\[\s\S]|\+["']?(?:%[A-Za-z]|[-_:.])+|[^\\%\n])*/y;
const FIELD = String.raw`(?:\*|\d\d?)(?:[-,/]\d\d?)*`;
const NAMED = `(?:${FIELD}|[a-z]{3}(?:[-,][a-z]{3})*)`;
const TIMES = new RegExp(
  String.raw`(?:@[a-z]{5,8}|(?:${FIELD}[ \t]+){3}${NAMED}[ \t]+${NAMED})(?=[ \t])`,
  'iy',
);
const BLANKS = /(?:[ \t]|\\\r?\n)+/y;
const OPERATOR = /(?:\d{1,2}(?=[<>])|&(?=>))?(?:>[>|]?|<<?[<-]?|<)(?:&\d?-?)?|;;?|\|\|?|&&?|[()]/y;

/**
 * Returns a cron command of which only harmless parts are shown: programs and subcommands, file paths, names of flags
 * and variables, scheme, host and plain path of URLs, and the shell's operators. `…` replaces all others, and parts
 * that look random. The result is for reading, not for running.
 */
export function maskCommand(command: string): string {
  const trimmed = command.trim();
  const line = match(FIRST_LINE, trimmed.slice(0, MOST_CHARACTERS), 0);
  if (line.length === trimmed.length) return maskLine(line, 0);
  return maskLine(line + (trimmed[line.length] === '\n' ? ' ' : '') + CUT, 0);
}

function maskLine(line: string, depth: number): string {
  let shown = match(TIMES, line, 0);
  const nested = depth < MOST_NESTED ? (inner: string) => maskLine(inner, depth + 1) : () => HIDDEN;
  let command = new SimpleCommand('program', nested);
  let words = 0;
  let afterWord = false;
  let target: string | null = null;
  for (let at = shown.length; at < line.length; ) {
    const blanks = match(BLANKS, line, at);
    at += blanks.length;
    const gap = blanks === '' ? '' : ' ';
    const operator = match(OPERATOR, line, at);
    at += operator.length;
    if (operator !== '') {
      shown += gap + operator;
      // After `)`, the shell expects only operators; after a word, it does not expect `(`.
      const isProgram = operator !== ')' && !(operator === '(' && afterWord && target === null);
      target = /[<>]/.test(operator) && !/&[\d-]/.test(operator) ? operator : null;
      if (/[<>]/.test(operator)) continue;
      command = new SimpleCommand(isProgram ? 'program' : 'argument', nested);
      afterWord = false;
      continue;
    }
    if (at === line.length) return shown;
    if (line[at] === '#' || ++words > MOST_WORDS) return joined(shown, gap, HIDDEN);
    afterWord = true;
    const { raw, plain } = readWord(line, at);
    at += raw.length;
    const isFile = target !== null && !target.includes('<<') && !plain.includes(CUT);
    const word = target === null ? command.show(plain, raw) : isFile ? shownPath(plain) : HIDDEN;
    target = null;
    shown = joined(shown, gap, word === plain && !plain.includes(HIDDEN) ? raw : (word ?? HIDDEN));
  }
  return shown;
}

function joined(shown: string, gap: string, word: string): string {
  return word === HIDDEN && (shown === HIDDEN || shown.endsWith(` ${HIDDEN}`)) ? shown : shown + gap + word;
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

const CLOSING = new Map([
  ['(', ')'],
  ['{', '}'],
  ['"', '"'],
  ['`', '`'],
]);
const PLAIN_RUN = /[\w.,/:=@%+~^-]+/y;

/** A word as it is written, and without its quotes, with `…` for the shell's substitutions. */
function readWord(line: string, start: number): { raw: string; plain: string } {
  const closing: string[] = [];
  let substitutions = 0;
  let isUrl = false;
  let plain = '';
  let at = start;
  const take = (text: string) => {
    if (substitutions > 0) return;
    plain += text;
    isUrl ||= text === '?' || text.includes('://');
  };
  for (; at < line.length; at++) {
    const run = match(PLAIN_RUN, line, at);
    take(run);
    at += run.length;
    const char = line[at] ?? '';
    const end = closing.at(-1);
    if (char === end) {
      closing.pop();
      if (char !== '"') substitutions--;
    } else if (char === '\\') {
      at++;
      const next = line[at] ?? CUT;
      take(end === '"' && !'"$\\`'.includes(next) ? char + next : next);
    } else if (char === "'" && end !== '"') {
      // The end of $'…' depends on its backslashes.
      const close = line[at - 1] === '$' ? -1 : line.indexOf("'", at + 1);
      take(close < 0 ? CUT : line.slice(at + 1, close));
      at = close < 0 ? line.length : close;
    } else if (char === '"' || char === '`' || (char === '(' && end !== '"') || isSubstitution(line, at)) {
      closing.push(CLOSING.get(char)!);
      if (char !== '"' && substitutions++ === 0) plain = plain.replace(/\$$/, '') + HIDDEN;
    } else if (closing.length === 0 && endsWord(char, isUrl ? line[at + 1] : ' ')) {
      break;
    } else {
      take(char);
    }
  }
  return { raw: line.slice(start, at), plain: closing.length > 0 ? plain + CUT : plain };
}

function isSubstitution(line: string, at: number): boolean {
  return (line[at] === '(' || line[at] === '{') && line[at - 1] === '$';
}

/** `&` and similar characters belong to a URL, unless a blank follows. */
function endsWord(char: string, next = ' '): boolean {
  return ' \t<>)'.includes(char) || (';&|'.includes(char) && ' \t'.includes(next));
}
