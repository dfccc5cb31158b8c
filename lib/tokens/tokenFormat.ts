import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 40;
const CHECKSUM_LENGTH = 6;
/** The characters behind the prefix, which is no secret: they are as good as the whole token. */
const SECRET_LENGTH = RANDOM_LENGTH + CHECKSUM_LENGTH;

/** How many of the random characters are stored, to recognize the token by. */
const SHOWN_RANDOM = 6;

/** The format of a token. Secret scanners can match it. */
const TOKEN = /^([a-z][a-z0-9]{1,15}_[0-9A-Za-z]{40})([0-9A-Za-z]{6})$/;

/** A token within a longer text. The checksum cannot be verified there, because other characters may follow. */
export const TOKEN_WITHIN = /[a-z][a-z0-9]{1,15}_[0-9A-Za-z]{46}/g;

/** How much of a text is searched for tokens: of a longer one, at most 64 characters are shown. */
const LONGEST_TEXT = 4096;

/** Characters among which a token without its prefix may stand. */
const RUN = new RegExp(`[0-9A-Za-z]{${SECRET_LENGTH},}`, 'g');

/** The format of a token prefix. */
export const TOKEN_PREFIX_PATTERN = '^[a-z][a-z0-9]{1,15}$';

/** Creates a token: the prefix, `_`, 40 random base-62 characters (238 bits), and 6 for the CRC-32 of all before. */
export function newToken(prefix: string): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const body = `${prefix}_${random}`;
  return body + checksum(body);
}

/** Whether the text has a token's format and a valid checksum, so that typos and guesses cost no query. */
export function isTokenShaped(text: string): boolean {
  const [, body, sum] = TOKEN.exec(text) ?? [];
  return body !== undefined && checksum(body) === sum;
}

/**
 * Replaces everything that looks like a token by `…`, in a text for the log or an answer. A token without its prefix is
 * recognized by the checksum that it has with `prefix`, the mount's.
 */
export function withoutTokens(text: string, prefix: string): string {
  const searched = text.slice(0, LONGEST_TEXT);
  return searched.replace(TOKEN_WITHIN, '…').replace(RUN, (run) => withoutSecrets(run, prefix));
}

function withoutSecrets(run: string, prefix: string): string {
  for (let end = SECRET_LENGTH; end <= run.length; end += 1) {
    const start = end - SECRET_LENGTH;
    // A number of 32 bits begins with a digit up to 4. That spares most of the checksums.
    const mayEnd = run.charAt(end - CHECKSUM_LENGTH) <= '4';
    if (mayEnd && isTokenShaped(`${prefix}_${run.slice(start, end)}`))
      return `${run.slice(0, start)}…${withoutSecrets(run.slice(end), prefix)}`;
  }
  return run;
}

/** The SHA-256 of the token, which is stored instead of it. */
export function tokenHash(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** The first characters of a token, by which administrators recognize it. */
export function shownPrefix(token: string): string {
  return token.slice(0, token.indexOf('_') + 1 + SHOWN_RANDOM);
}

function checksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    digits = ALPHABET[rest % ALPHABET.length] + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
