import { looksLikeCredential } from '../../settings/looksLikeCredential';
import { splitKeyWords } from '../../settings/splitKeyWords';

const MORE_SECRET_WORDS = new Set([
  'authorization',
  'cookie',
  'hmac',
  'passin',
  'passout',
  'session',
  'sig',
  'signature',
]);
/** Flags that begin so ask for a secret or do without one: `--ask-pass`, `--no-password`, `--auth-no-challenge`. */
const NEGATIONS = new Set(['ask', 'disable', 'prompt', 'skip', 'without']);
const WORKING_DIRECTORIES = new Set(['PWD', 'OLDPWD']);

/** Whether a flag, a variable, a header or a query parameter of this name has a secret as its value. */
export function isSecretName(name: string): boolean {
  if (WORKING_DIRECTORIES.has(name)) return false;
  const words = splitKeyWords(name);
  if (NEGATIONS.has(words[0] ?? '') || words.includes('no')) return false;
  return looksLikeCredential(name) || MORE_SECRET_WORDS.has(words.at(-1) ?? '');
}
