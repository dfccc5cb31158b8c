import { inspect } from 'node:util';
import { newToken, tokenHash } from '../../../lib/tokens/tokenFormat';
import { ENCODINGS } from '../../fixture/faults/leaks';
import { KnownHashes, secretsIn } from './keptSearch';

const TOKEN = newToken('pnl');
const HASH = tokenHash(TOKEN);
const HEX = HASH.toString('hex');
const KNOWN = new KnownHashes([HEX]);
const BEFORE = ['', 'a', 'bc', 'def'];

const found = async (...pieces: readonly string[]) =>
  [...(await secretsIn(pieces, KNOWN)).found.keys()].toSorted();

describe('The search of what proofs received', () => {
  test.each(Object.entries(ENCODINGS))(
    'finds a token in the form %s, wherever it begins',
    async (_form, encode) => {
      for (const before of BEFORE)
        expect(await found(`"${encode(Buffer.from(`${before}${TOKEN}.`))}"`)).toEqual([TOKEN]);
    },
  );

  test.each(['%', '\\x', '\\u00'])('finds a token whose characters are escaped with %s', async (mark) => {
    const escaped = Array.from(TOKEN, (one) => mark + Buffer.from(one).toString('hex')).join('');
    expect(await found(`"${escaped}"`)).toEqual([TOKEN]);
  });

  test.each(['hex', 'hex with spaces', 'numbers', 'numbers with spaces', 'base64', 'base64url'])(
    'finds the hash of a known token in the form %s, wherever it begins',
    async (form) => {
      for (const before of BEFORE) {
        const bytes = Buffer.concat([Buffer.from(before), HASH, Buffer.from('.')]);
        expect(await found(`"${ENCODINGS[form]!(bytes)}"`)).toEqual([HEX]);
      }
    },
  );

  test.each([
    ['in hex', (hash: Buffer) => hash.toString('hex')],
    ['as Node prints it', (hash: Buffer) => inspect({ hash })],
    ['as JSON', (hash: Buffer) => JSON.stringify({ hash })],
  ])('finds the hash of an unknown token %s', async (_how, show) => {
    expect(await found(`{ ${show(tokenHash(newToken('pnl')))} }`)).toHaveLength(1);
  });

  test('finds a token and a hash between two pieces of a text', async () => {
    const text = `line ${TOKEN} ${HEX} ${ENCODINGS['numbers with spaces']!(HASH)}`;
    for (let place = 0; place <= text.length; place += 1)
      expect(await found(text.slice(0, place), text.slice(place), ' end')).toEqual([TOKEN, HEX].toSorted());
  });

  test('finds nothing in a token with another character, in parts of secrets, or in long numbers', async () => {
    const other = TOKEN.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
    const numbers = [
      '9'.repeat(64),
      '1234567890'.repeat(7).slice(0, 64),
      JSON.stringify(Buffer.alloc(32, 17)),
    ];
    expect(await found([other, TOKEN.slice(0, -1), HEX.slice(0, -1), ...numbers].join(' or '))).toEqual([]);
  });
});
