import { isSecretName } from './isSecretName';
import { type SecretFlag, secretFlags } from './secretFlags';

/** What the words of a shell command so far say of the next one. */
export interface WordContext {
  previous: string;
  /** The flags by which the programs named so far take secrets. */
  flags: readonly SecretFlag[];
  next: 'secret' | 'pair' | 'header' | null;
}

export interface FoundFlag {
  row: SecretFlag;
  shown: string;
  /** The value attached to the flag, empty where the next word is the value. */
  attached: string;
}

export const START: WordContext = { previous: '', flags: [], next: null };
const LONG_FLAG = /^--?[A-Za-z][\w.-]{2,}$/;
const HEADER_NAME = /^[A-Za-z][\w-]*:$/;
const AUTH_SCHEME = /^(?:basic|bearer|digest|negotiate|token)$/i;

/** Whether the word is the value that the one before announced, and not the next flag. */
export function isExpected(plain: string, { next }: WordContext): boolean {
  return next !== null && !/^--|^-.?$/.test(plain);
}

/** Whether the word only says how the header's secret is meant, as in `Authorization: Basic …`. */
export function isAuthScheme(plain: string, { next }: WordContext): boolean {
  return next === 'header' && AUTH_SCHEME.test(plain);
}

/** The word as a flag by which one of the programs named so far takes a secret. */
export function findFlag(plain: string, { flags }: WordContext): FoundFlag | null {
  for (const row of flags) {
    const match = row.flag.exec(plain);
    const attached = match?.[1] ?? '';
    if (match !== null) return { row, attached, shown: plain.slice(0, plain.length - attached.length) };
  }
  return null;
}

export function afterWord(plain: string, context: WordContext): WordContext {
  if (isExpected(plain, context)) {
    return { ...context, previous: plain, next: isAuthScheme(plain, context) ? 'header' : null };
  }
  const found = findFlag(plain, context);
  const program = plain.slice(plain.lastIndexOf('/') + 1);
  const left = context.flags.filter((row) => !(row.once && row === found?.row));
  const started = secretFlags(program).filter((row) => !left.includes(row));
  const flags = left.concat(started);
  return { previous: plain, flags, next: found ? announcedBy(found) : announcedByName(plain) };
}

/** A new command knows nothing of the one before; a redirection only takes the next word away from the flag. */
export function afterGap(gap: string, context: WordContext): WordContext {
  const operators = gap.replace(/\\\r?\n/g, '');
  if (/[;|&()`\n]/.test(operators)) return START;
  return /[<>$]/.test(operators) ? { ...context, previous: '', next: null } : context;
}

function announcedBy({ row, attached }: FoundFlag): WordContext['next'] {
  return attached === '' ? row.value : null;
}

function announcedByName(plain: string): WordContext['next'] {
  if (LONG_FLAG.test(plain)) return isSecretName(plain) ? 'secret' : null;
  return HEADER_NAME.test(plain) && isSecretName(plain) ? 'header' : null;
}
