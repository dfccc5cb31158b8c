import { HIDDEN } from './credentials';

/** Ends the part of a command that is read. A word that contains it is not completely known, so it is hidden. */
const CUT = '\0';
/** How many characters are read. Few crontabs have longer lines, and a list has many rows. */
const MOST_CHARACTERS = 500;
/** How many words are read. More would take too long, because a list has many rows. */
const MOST_WORDS = 60;
/** Everything up to the end of the line, or to the % that begins input for crond, except in formats of `date`. */
const FIRST_LINE = /(?:\\[\s\S]|\+["']?(?:%[A-Za-z]|[-_:.])+|[^\\%\n])*/y;
const FIELD = String.raw`(?:\*|\d\d?)(?:[-,/]\d\d?)*`;
const NAMED = `(?:${FIELD}|[a-z]{3}(?:[-,][a-z]{3})*)`;
const TIMES = new RegExp(
  String.raw`(?:@(?:reboot|(?:year|annual|month|week|dai|hour)ly|midnight)|(?:${FIELD}[ \t]+){3}${NAMED}[ \t]+${NAMED})(?=[ \t])`,
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
 * Returns a cron command for reading, not for running. Its times, the shell's operators, the first word of each command,
 * paths, the names of options, and the scheme and host of URLs are shown, up to the first part that is not plain;
 * each other word is `…`.
 */
export function maskCommand(command: string): string {
  const trimmed = command.trim();
  const line = match(FIRST_LINE, trimmed.slice(0, MOST_CHARACTERS), 0);
  if (line.length === trimmed.length) return maskLine(line);
  return maskLine(line + (trimmed[line.length] === '\n' ? ' ' : '') + CUT);
}

function maskLine(line: string): string {
  let shown = match(TIMES, line, 0);
  let isFirst = true;
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
      const mayBegin = operator !== ')' && !(operator === '(' && afterWord && target === null);
      target = /[<>]/.test(operator) && !/&[\d-]/.test(operator) ? operator : null;
      if (/[<>]/.test(operator)) continue;
      isFirst = mayBegin;
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
    const isInput = target?.includes('<<') || plain.includes(CUT);
    const word = isInput ? HIDDEN : target === null ? shownWord(plain, isFirst) : shownPath(plain);
    isFirst &&= target !== null;
    target = null;
    shown = joined(shown, gap, word === plain && !plain.includes(HIDDEN) ? raw : word);
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

function shownWord(plain: string, isFirst: boolean): string {
  if (plain.startsWith('-')) return shownOption(plain);
  return shownUrl(plain) ?? shownPath(plain, isFirst);
}

/**
 * Whether a text consists of plain words with dots, hyphens or underscores between them. A plain word is at most eleven
 * lower-case letters, followed by at most three digits, or a number of four digits. A text has at most four digits.
 */
function isPlain(text: string): boolean {
  if (text.replace(/\D/g, '').length > 4) return false;
  return text.split(/[._-]/).every((word) => /^(?:[a-z]{0,11}\d{0,3}|\d{4})$/.test(word));
}

/** The name of an option: one letter, or plain words after `--`. */
function shownOption(option: string): string {
  const [, name = '', rest = ''] = /^(-[A-Za-z]|--[a-z][^=]*=?)([\s\S]*)$/.exec(option) ?? [];
  const isShown = name.length === 2 || (name !== '' && isPlain(name.replace('=', '')));
  return isShown ? name + (rest && HIDDEN) : HIDDEN;
}

/** A path up to the first part that is not plain. Unless it is the first word, it begins with `/`, `./`, `../` or `~/`. */
function shownPath(path: string, isFirst = false): string {
  if (!isFirst && !/^(?:~|\.{0,2})\//.test(path)) return HIDDEN;
  const parts = path.split('/');
  const hidden = parts.findIndex((part, index) => !isPlain(part) && !(index === 0 && part === '~'));
  return (hidden < 0 ? parts : [...parts.slice(0, hidden), HIDDEN]).join('/');
}

/** The scheme and host of a URL; null if the text is no URL. */
function shownUrl(text: string): string | null {
  const [, scheme, authority = '', rest = ''] =
    /^([a-z][a-z\d]{1,9}:\/\/)([^/?#]*)([\s\S]*)$/.exec(text) ?? [];
  if (scheme === undefined) return null;
  const [user = ''] = /^.*@/.exec(authority) ?? [];
  const [, host = '', port = ''] = /^([a-z0-9.-]*)(:\d{1,5})?$/i.exec(authority.slice(user.length)) ?? [];
  // If an @ follows the host, the apparent host is a part of a password.
  if ((!host.includes('.') && host !== 'localhost') || rest.includes('@')) return scheme + HIDDEN;
  const labels = host.split('.').map((label) => (isPlain(label) ? label : HIDDEN));
  const end = rest.length > 1 ? rest[0] + HIDDEN : rest;
  return scheme + (user && `${HIDDEN}@`) + labels.join('.') + port + end;
}
