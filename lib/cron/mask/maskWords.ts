import { isKeyFile } from './isKeyFile';
import { MASK } from './mask';
import { maskArgument } from './maskArgument';
import { maskPair } from './maskPair';
import { quoteAs } from './quoteAs';
import { splitShellWords } from './splitShellWords';
import { unquote } from './unquote';
import {
  afterGap,
  afterWord,
  findFlag,
  isAuthScheme,
  isExpected,
  START,
  type WordContext,
} from './wordContext';

const COMMAND_FLAG = /^-[A-Za-z]*c$/;

/** Without one of these there is nothing of the kind, and one look tells it: no flag, no name, no quotes. */
const ANY = /(?<![\w./])-|[=:'"\\]|password/;

/** The secrets masked that stand in a shell command's words: flags, assignments, headers, commands in quotes. */
export function maskWords(command: string): string {
  if (!ANY.test(command)) return command;
  let context = START;
  let masked = '';
  for (const { raw, isWord } of splitShellWords(command)) {
    const plain = isWord ? unquote(raw) : '';
    masked += isWord ? maskWord(raw, plain, context) : raw;
    context = isWord ? afterWord(plain, context) : afterGap(raw, context);
  }
  return masked;
}

function maskWord(raw: string, plain: string, context: WordContext): string {
  if (isExpected(plain, context)) {
    if (context.next === 'pair') return maskPair(plain) ?? raw;
    return isAuthScheme(plain, context) || isKeyFile(context.previous, plain) ? raw : MASK;
  }
  const found = findFlag(plain, context);
  if (found === null) return maskNamed(raw, plain, context.previous);
  if (found.attached === '') return raw;
  const hidden = found.row.value === 'pair' ? maskPair(found.attached) : MASK;
  return hidden === null ? raw : found.shown + hidden;
}

/** A word that nothing announced: an argument with a name of its own, else what may be a command in quotes. */
function maskNamed(raw: string, plain: string, previous: string): string {
  const isCommand = COMMAND_FLAG.test(previous) && /\s/.test(plain);
  const argument = isCommand ? null : maskArgument(plain, previous);
  if (argument !== null) return quoteAs(raw, argument);
  if (raw === plain) return raw;
  const inner = maskWords(plain);
  return inner === plain ? raw : quoteAs(raw, inner);
}
