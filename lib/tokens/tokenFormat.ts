import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 40;
const CHECKSUM_LENGTH = 6;

/** How many characters of a token are kept for recognition, beside its hash. */
const SHOWN_RANDOM = 6;

/** A token's shape, for secret scanners too. */
const TOKEN = /^([a-z][a-z0-9]{1,15}_[0-9A-Za-z]{40})([0-9A-Za-z]{6})$/;

/** What may be a token within a longer text: characters may follow it, so that its checksum cannot be held against it. */
const TOKEN_WITHIN = /[a-z][a-z0-9]{1,15}_[0-9A-Za-z]{46}/g;

/** What a token prefix may be. */
export const TOKEN_PREFIX_PATTERN = '^[a-z][a-z0-9]{1,15}$';

/** A new token: the prefix, `_`, 40 random base-62 characters (238 bits) and 6 of CRC-32 over all before them. */
export function newToken(prefix: string): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const body = `${prefix}_${random}`;
  return body + checksum(body);
}

/** Whether the text has a token's shape and checksum, so that typos and guesses cost no query. */
export function isTokenShaped(text: string): boolean {
  const [, body, sum] = TOKEN.exec(text) ?? [];
  return body !== undefined && checksum(body) === sum;
}

/** A client's text, with `…` in place of everything in it that looks like a token: for the log and for answers. */
export function withoutTokens(text: string): string {
  return text.replace(TOKEN_WITHIN, '…');
}

/** The SHA-256 of the token's bytes: all that is ever stored of it. */
export function tokenHash(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** The first characters of a token, by which people recognise it. */
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
