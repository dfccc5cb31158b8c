import { InvalidInput } from '../errors/InvalidInput';
import type { TokenRecord } from './TokenRecord';
import { isTokenShaped, tokenHash } from './tokenFormat';
import { selectTokens, type TokensParts, tokenRecord } from './tokenRows';

/** The `_` of what may be a token, with what stands before and behind it: such places may overlap. */
const MAY_BE_TOKEN = /(?<=([a-z][a-z0-9]{1,15}))_(?=([0-9A-Za-z]{46}))/g;

/** Other ways to write `_`. */
const UNDERSCORE = /=5f|%(?:25)*5f|\\(?:u00|x)5f|&(?:#0*95|#x0*5f|lowbar|underbar);/gi;

/**
 * What may stand within a token: line breaks, also escaped, the `>` of a quoted line, backslashes of Markdown and of the
 * shell, invisible characters, and the zero bytes of UTF-16 and UTF-32 that were read as UTF-8.
 */
const GAP = /=(?=[\s\0])|\\[nrt]?|<w?br ?\/?>|&(?:gt|nbsp|shy);|[\s\0>\u00ad\u200b-\u200d\u2060]/gi;

/**
 * The whole tokens within a text, each once, as it is or as mails, Markdown, URLs, JSON and HTML write it. Letters may
 * stand directly before one, such as the `n` of an escaped line break.
 */
export function tokensWithin(text: string): readonly string[] {
  const plain = text.replaceAll(UNDERSCORE, '_').replaceAll(GAP, '');
  const found = [...`${text} ${plain}`.matchAll(MAY_BE_TOKEN)].flatMap(([, prefix = '', secret]) => {
    const ends = Array.from(prefix, (_, start) => `${prefix.slice(start)}_${secret}`);
    return ends.find(isTokenShaped) ?? [];
  });
  return [...new Set(found)];
}

/** How many tokens of one text are looked up. */
export const MOST_FOUND = 100;

const NO_TOKEN = 'The text contains no whole token. Compressed files, images and Base64 are not searched.';

/** Returns the records of the tokens that a text contains, as `Tokens.findAll` does. */
export async function findTokens(parts: TokensParts, text: string): Promise<readonly TokenRecord[]> {
  const found = typeof text === 'string' ? tokensWithin(text) : [];
  if (found.length === 0) throw new InvalidInput('token', NO_TOKEN);
  if (found.length > MOST_FOUND)
    throw new InvalidInput('token', `The text contains more than ${MOST_FOUND} tokens: search its parts.`);
  const rows = await parts.database.query('tokens.find', () =>
    selectTokens(parts).whereIn('hash', found.map(tokenHash)).orderBy('id'),
  );
  const isEnded = ({ state }: TokenRecord) => Number(state !== 'active');
  return rows.map(tokenRecord).toSorted((one, other) => isEnded(one) - isEnded(other));
}
