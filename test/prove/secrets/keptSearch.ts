import { isTokenShaped } from '../../../lib/tokens/tokenFormat';

/** A token from its `_` on, and the most characters that precede it. */
const TOKEN_END = /_[0-9A-Za-z]{46}/g;
const LONGEST_PREFIX = 16;

const HASH_BYTES = 32;
/** A hash as an error or a log shows it, also that of a token which nobody received. */
const SHOWN_HASH =
  /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])|<Buffer(?: [0-9a-f]{2}){32}>|"data":\[(?:\d{1,3},){31}\d{1,3}\]/gi;
/** A hash has more different characters than a number, or than one character that is repeated. */
const FEWEST_DIFFERENT = 11;
/** By their first bytes, most places of a text are no hash. */
const TOLD_BY = 3;

/** More than a token or a hash has in any encoding. */
const OVERLAP = 1024;
const AROUND = 200;

/** Hashes that no text may contain. */
export class KnownHashes {
  readonly #hashes = new Set<string>();
  readonly #beginnings = new Uint8Array(256 ** TOLD_BY);

  constructor(hashes: Iterable<string>) {
    for (const hex of hashes) {
      const hash = Buffer.from(hex, 'hex');
      this.#hashes.add(hash.toString('latin1'));
      this.#beginnings[hash.readUIntBE(0, TOLD_BY)] = 1;
    }
  }

  get size(): number {
    return this.#hashes.size;
  }

  /** Returns those that are in these bytes, in hex. */
  in(bytes: Buffer): readonly string[] {
    const found = [];
    for (let at = 0; at <= bytes.length - HASH_BYTES; at += 1) {
      if (this.#beginnings[(bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!] === 0) continue;
      const candidate = bytes.subarray(at, at + HASH_BYTES);
      if (this.#hashes.has(candidate.toString('latin1'))) found.push(candidate.toString('hex'));
    }
    return found;
  }
}

/**
 * Returns all that have the format of a token or of a hash, and the hashes that are known, in a text that is read piece
 * by piece, each with what is around it. Tokens are found in each encoding of `test/fixture/faults/leaks.ts`, known
 * hashes as hex, numbers or base64.
 */
export async function secretsIn(
  pieces: AsyncIterable<string> | Iterable<string>,
  hashes: KnownHashes,
): Promise<{ readonly characters: number; readonly found: ReadonlyMap<string, string> }> {
  const found = new Map<string, string>();
  let characters = 0;
  let rest = '';
  for await (const piece of pieces) {
    characters += piece.length;
    const text = rest + piece;
    for (const [shown] of text.matchAll(SHOWN_HASH))
      if (new Set(shown).size >= FEWEST_DIFFERENT) found.set(shown, around(shown, text));
    for (const bytes of decodings(text))
      for (const secret of [...tokensIn(bytes.toString('latin1')), ...hashes.in(bytes)])
        found.set(secret, around(secret, text));
    rest = text.slice(-OVERLAP);
  }
  return { characters, found };
}

/** What is around a secret that is not encoded, so that its test can be found. */
function around(secret: string, text: string): string {
  const at = text.indexOf(secret);
  return at < 0 ? 'encoded' : text.slice(Math.max(0, at - AROUND), at + secret.length + AROUND);
}

function tokensIn(text: string): readonly string[] {
  return [...text.matchAll(TOKEN_END)].flatMap(({ index, 0: end }) => {
    // Letters before a token look like a part of it.
    const before = text.slice(Math.max(0, index - LONGEST_PREFIX), index);
    return Array.from(before, (_, start) => before.slice(start) + end).filter(isTokenShaped);
  });
}

/** The bytes that a text contains or may encode. */
function* decodings(text: string): Generator<Buffer> {
  const plain = Buffer.from(text, 'latin1');
  yield plain;
  yield Buffer.from(plain).reverse();
  yield Buffer.from(
    text.replace(/(?:%|\\x|\\u00)([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
  for (const [run] of text.matchAll(/(?:[0-9a-f][ :]?){64,}/gi))
    for (const first of [0, 1]) yield Buffer.from(run.replace(/[ :]/g, '').slice(first), 'hex');
  for (const [run] of text.matchAll(/(?:\d{1,3},\s*){31,}\d{1,3}/g))
    yield Buffer.from(run.split(',').map(Number));
  for (const [run] of text.matchAll(/[0-9A-Za-z+/_-]{43,}/g))
    for (const first of [0, 1, 2, 3]) yield Buffer.from(run.slice(first), 'base64');
}
