import { MASK } from './mask';

const SHORTEST = 32;
const RUN = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{32,}={0,2}/g;
/** Places where letters and digits meet, or a capital follows a small letter. */
const CHANGES = /(?<=[a-z])[A-Z]|(?<=[A-Za-z])\d|(?<=\d)[A-Za-z]/g;
/** Random base64, base32 and hexadecimal change at 30 to 45 of 100 characters, names in camel case below 18. */
const RANDOM_SHARE = 0.18;
/** Hashes and UUIDs; digits alone may be a time or a number. */
const HEXADECIMAL = /^(?=.*\d)(?=.*[a-f])[\da-f-]+$/i;
/** Random base64 has a slash in 64 characters, a path one in 5 to 15. */
const CHARACTERS_PER_SLASH = 20;

/** Long random strings masked, such as keys, hashes and base64; paths, file names and identifiers stay. */
export function maskRandomRuns(text: string): string {
  return text.replace(RUN, (run, offset: number) => {
    const parts = run.split('/');
    // After a dot it is the rest of a host or file name.
    const mayBeBase64 =
      (parts[0] !== '' || run.endsWith('=')) &&
      text[offset - 1] !== '.' &&
      (parts.length - 1) * CHARACTERS_PER_SLASH <= run.length;
    if (mayBeBase64 && isRandom(run)) return MASK;
    return parts.map((part) => (isRandom(part) ? MASK : part)).join('/');
  });
}

function isRandom(text: string): boolean {
  if (text.length < SHORTEST) return false;
  if (HEXADECIMAL.test(text)) return true;
  return (text.match(CHANGES)?.length ?? 0) >= text.length * RANDOM_SHARE;
}
