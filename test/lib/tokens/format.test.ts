import { crc32 } from 'node:zlib';
import { tokensWithin } from '../../../lib/tokens/findTokens';
import { isTokenShaped, newToken, withoutTokens } from '../../../lib/tokens/tokenFormat';
import { freshDatabase, type TestDatabase } from '../../fixture/databases';
import { startPanel, type TestPanel } from '../../fixture/panel';
import '../../fixture/tryAgain';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The text with its CRC-32 in six digits of base 62, as a client can compute it. */
function withChecksum(body: string): string {
  const digits = Array.from({ length: 6 }, (_, place) => Math.floor(crc32(body) / 62 ** (5 - place)) % 62);
  return body + digits.map((digit) => ALPHABET[digit]).join('');
}

describe('A token', () => {
  let database: TestDatabase;
  let panel: TestPanel;
  let other: TestPanel;
  let token: string;

  beforeAll(async () => {
    database = await freshDatabase('sqlite');
    // Options fix all settings, so that none is read.
    const rateLimit = { requests: 10_000, windowSeconds: 60 };
    panel = await startPanel({ db: database.knex, rateLimit, httpsRequired: true });
    other = await startPanel({ db: database.knex, tokenPrefix: 'acme9' });
    token = await panel.token();
  });

  test('is the prefix, an underscore, 40 random characters and 6 of a checksum', () => {
    expect(token).toMatch(/^pnl_[0-9A-Za-z]{46}$/);
  });

  test('begins with the prefix of the mount', async () => {
    expect(await other.token()).toMatch(/^acme9_[0-9A-Za-z]{46}$/);
  });

  test('stays valid when the prefix of the mount changes', async () => {
    expect((await other.get('/api/v1/me.php', token)).status).toBe(200);
  });

  test('is refused by its checksum after every change of a single character', () => {
    const changed = [...token].flatMap((character, place) =>
      [...`${ALPHABET}_`]
        .filter((other) => other !== character)
        .map((other) => token.slice(0, place) + other + token.slice(place + 1)),
    );
    expect(changed).toHaveLength(token.length * 61 + token.length);
    expect(changed.filter(isTokenShaped)).toEqual([]);
  });

  test('is refused by its checksum after every swap of two neighbours', () => {
    const swapped = Array.from({ length: token.length - 1 }, (_, place) => {
      const [one, other] = token.slice(place, place + 2);
      return `${token.slice(0, place)}${other}${one}${token.slice(place + 2)}`;
    });
    expect(swapped.filter((other) => other !== token && isTokenShaped(other))).toEqual([]);
  });

  test('costs no query when its checksum is wrong', async () => {
    // Writes the counts of earlier requests, so that no such write is counted here.
    await Promise.all([panel, other].map(({ api }) => api.usage.flush()));
    const queries: string[] = [];
    const count = ({ sql }: { sql: string }) => queries.push(sql);
    database.knex.on('query', count);
    for (const guess of [token.slice(0, -1), `${token}0`, token.replace('pnl', 'pnm'), 'x', '%00']) {
      const { status, body } = await panel.get('/api/v1/me.php', guess);
      expect([guess, status, body.error.code]).toEqual([guess, 401, 'token_unknown']);
    }
    database.knex.off('query', count);
    expect(queries).toEqual([]);
  });

  test('is refused if it is well formed but was never created', async () => {
    const { status, body } = await panel.get('/api/v1/me.php', newToken('pnl'));
    expect([status, body.error.code]).toEqual([401, 'token_unknown']);
  });

  test('is refused if it differs from a valid one in one character, even with the checksum of its own', async () => {
    const forged = Array.from({ length: 40 }, (_, index) => {
      const place = 'pnl_'.length + index;
      const character = token[place] ?? '';
      const swapped =
        character.toLowerCase() === character ? character.toUpperCase() : character.toLowerCase();
      const other = swapped === character ? 'x' : swapped;
      return withChecksum(token.slice(0, place) + other + token.slice(place + 1, 44));
    });
    expect(withChecksum(token.slice(0, 44))).toBe(token);
    expect(forged.filter(isTokenShaped)).toEqual(forged);
    const answers = await Promise.all(forged.map((one) => panel.get('/api/v1/me.php', one)));
    expect(answers.map(({ body }) => body.error?.code)).toEqual(forged.map(() => 'token_unknown'));
  });

  test('is never created twice, and uses every character about as often as any other', () => {
    const tokens = Array.from({ length: 5000 }, () => newToken('pnl'));
    expect(new Set(tokens).size).toBe(tokens.length);
    const counts = new Map<string, number>();
    for (const created of tokens)
      for (const character of created.slice(4, 44)) counts.set(character, (counts.get(character) ?? 0) + 1);
    const expected = (tokens.length * 40) / ALPHABET.length;
    const chiSquared = [...counts.values()].reduce(
      (sum, count) => sum + (count - expected) ** 2 / expected,
      0,
    );
    expect(counts.size).toBe(ALPHABET.length);
    // With 61 degrees of freedom, more than 130 occurs once in two million runs.
    expect(chiSquared).toBeLessThan(130);
  });
});

describe('In a text, a token', () => {
  // The last six characters, a number of 32 bits, begin with each of the digits that they can begin with.
  const tokens = Array.from({ length: 300 }, () => newToken('pnl'));

  test('is replaced wherever it stands, with its prefix or without', () => {
    for (const token of tokens) {
      const secret = token.slice('pnl_'.length);
      expect(withoutTokens(`a ${token}b, y${secret}${secret}zz`, 'pnl')).toBe('a …b, y……zz');
    }
  });

  test('is not looked for behind 4,096 characters, which are all that remains', () => {
    const text = ' '.repeat(4096);
    expect(withoutTokens(`${text}${tokens[0]}`, 'pnl')).toBe(text);
  });
});

// A time that grew with the square of the length would be minutes.
test.each([
  '_',
  '%25',
  '%',
  '=',
  '= ',
  '\\',
  '&#0',
  '0',
  '<br ',
  'a1_',
  'x_0123456789012345678901234567890123456789',
  ' ',
])('A long text of %j is searched for tokens in a few seconds at most', (text) => {
  const startedAt = performance.now();
  for (const beginning of ['', '&#', '%', 'a_'])
    expect(tokensWithin(beginning + text.repeat(2 ** 18 / text.length))).toEqual([]);
  expect(performance.now() - startedAt).toBeLessThan(20_000);
});
