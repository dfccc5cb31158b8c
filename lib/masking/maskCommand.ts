import { HIDDEN, shownPath } from './harmlessText';
import { CUT, SimpleCommand } from './SimpleCommand';

/** How many characters are read. Few crontabs have longer lines, and a list has many rows. */
const MOST_CHARACTERS = 500;
/** How many words are read. More would take too long, because a list has many rows. */
const MOST_WORDS = 60;
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
/** The shell's substitutions without quotes and without others in them. */
const SUBSTITUTION = String.raw`\$\((?:[^()'"\x60\\]|\\.)*\)|\$\{[^{}'"\x60\\]*\}|\x60(?:[^\x60'"\\]|\\.)*\x60`;
/** A part of a word: in single quotes, in double quotes, one escaped character, or a substitution. */
const QUOTED = String.raw`'([^']*)'|"((?:[^"\\$\x60]|\\[\s\S]|\$(?![({])|${SUBSTITUTION})*)"|\\([\s\S])|${SUBSTITUTION}`;
/** `&` and similar characters belong to a URL, also behind a quoted part of it, unless a blank follows. */
const IN_URL = String.raw`(?<=(?::\/\/|\?)(?:\S|\\\n)*)[;&|](?=\S)`;
const WORD = new RegExp(String.raw`(?:${QUOTED}|${IN_URL}|[^ \t\n'"\x60\\$<>();&|]+|\$(?![({'"]))+`, 'y');
const QUOTES = new RegExp(QUOTED, 'g');

/**
 * Returns a cron command of which only harmless parts are shown: programs and subcommands, file paths, names of flags
 * and variables, scheme, host and plain path of URLs, and the shell's operators. `…` replaces all others, and parts
 * that look random. The result is for reading, not for running.
 */
export function maskCommand(command: string): string {
  const trimmed = command.trim();
  const line = match(FIRST_LINE, trimmed.slice(0, MOST_CHARACTERS), 0);
  if (line.length === trimmed.length) return maskLine(line);
  return maskLine(line + (trimmed[line.length] === '\n' ? ' ' : '') + CUT);
}

function maskLine(line: string): string {
  let shown = match(TIMES, line, 0);
  let command = new SimpleCommand('program', maskLine);
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
      command = new SimpleCommand(isProgram ? 'program' : 'argument', maskLine);
      afterWord = false;
      continue;
    }
    if (at === line.length) return shown;
    const raw = match(WORD, line, at);
    at += raw.length;
    // What follows a word that cannot be read is hidden too, such as nested substitutions and an open quote.
    const isRead = raw !== '' && /^(?:[ \t<>);&|]|\\\r?\n|$)/.test(line.slice(at, at + 3));
    if (!isRead || raw.startsWith('#') || ++words > MOST_WORDS) return joined(shown, gap, HIDDEN);
    afterWord = true;
    const plain = unquoted(raw);
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

/** A word without its quotes, with `…` for the shell's substitutions. */
function unquoted(raw: string): string {
  return raw.replace(
    QUOTES,
    (_, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replace(SUBSTITUTIONS, HIDDEN).replace(/\\(["$\\`])/g, '$1') ?? escaped ?? HIDDEN,
  );
}

const SUBSTITUTIONS = new RegExp(SUBSTITUTION, 'g');
