import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 40;
const CHECKSUM_LENGTH = 6;

/** How many of the random characters are stored for recognition, beside the hash. */
const SHOWN_RANDOM = 6;

/** The form of a token, for secret scanners too. */
const TOKEN = /^([a-z][a-z0-9]{1,15}_[0-9A-Za-z]{40})([0-9A-Za-z]{6})$/;

/** A token within a longer text. Characters may follow it, so that its checksum cannot be checked. */
const TOKEN_WITHIN = /[a-z][a-z0-9]{1,15}_[0-9A-Za-z]{46}/g;

/** The form of a token prefix. */
export const TOKEN_PREFIX_PATTERN = '^[a-z][a-z0-9]{1,15}$';

/** Creates a token: the prefix, `_`, 40 random base-62 characters (238 bits), and 6 of CRC-32 over all before them. */
export function newToken(prefix: string): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const body = `${prefix}_${random}`;
  return body + checksum(body);
}

/** Whether the text has the form and the checksum of a token, so that typos and guesses cost no query. */
export function isTokenShaped(text: string): boolean {
  const [, body, sum] = TOKEN.exec(text) ?? [];
  return body !== undefined && checksum(body) === sum;
}

/** A client's text, with `…` in place of everything in it that looks like a token: for the log and for answers. */
export function withoutTokens(text: string): string {
  return text.replace(TOKEN_WITHIN, '…');
}

/** The SHA-256 of the token's bytes, which is stored in its place. */
export function tokenHash(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** The first characters of a token, by which people recognize it. */
export function shownPrefix(token: string): string {
  return token.slice(0, token.indexOf('_') + 1 + SHOWN_RANDOM);
}

function checksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = ALPHABET[rest % ALPHABET.length] + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
