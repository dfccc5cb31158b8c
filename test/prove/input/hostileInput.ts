import fc from 'fast-check';
import { operations } from '../../../routes';

/** Mostly the lists: the others take no or few parameters, and some take long. */
export const anyOperation = fc
  .oneof(
    { weight: 19, arbitrary: fc.constantFrom(...operations.filter(({ kind }) => kind === 'list')) },
    { weight: 1, arbitrary: fc.constantFrom(...operations) },
  )
  .map(({ name }) => name);

/** Characters that Node lets into the value of a header. */
const headerText = (maxLength: number) =>
  fc.string({
    unit: fc
      .integer({ min: 0x20, max: 0xff })
      .filter((code) => code !== 0x7f)
      .map((code) => String.fromCharCode(code)),
    maxLength,
  });

/** Values of Authorization: the token, ones near it, and any others. */
export function authorization(token: string): fc.Arbitrary<string> {
  const place = fc.nat({ max: token.length - 1 });
  const near = fc.oneof(
    fc.constantFrom(
      token,
      token.toUpperCase(),
      token.slice(1),
      token + token,
      `${token},${token}`,
      `"${token}"`,
    ),
    place.map((end) => token.slice(0, end)),
    fc.tuple(place, headerText(1)).map(([at, one]) => token.slice(0, at) + one + token.slice(at + 1)),
    fc.tuple(place, headerText(3)).map(([at, more]) => token.slice(0, at) + more + token.slice(at)),
  );
  const scheme = fc.constantFrom(
    'Bearer ',
    'bearer ',
    'BEARER  ',
    'Basic ',
    'Bearer',
    'Bearer\t',
    'Bearer: ',
    '',
  );
  return fc.oneof(
    { weight: 3, arbitrary: fc.tuple(scheme, near).map(([first, second]) => first + second) },
    { weight: 1, arbitrary: fc.tuple(scheme, headerText(200)).map(([first, second]) => first + second) },
  );
}

/** Parameters with known, near and foreign names, and values of all kinds. */
export function query(): fc.Arbitrary<[string, string][]> {
  const name = fc.oneof(
    fc.constantFrom(
      'limit',
      'cursor',
      'fields',
      'status',
      'search',
      'order',
      'id',
      'account_id',
      'updated_since',
    ),
    fc.constantFrom('__proto__', 'constructor', 'toString', 'limit[]', 'limit[$gt]', 'LIMIT', 'offset', ''),
    fc.string({ unit: 'binary', maxLength: 20 }),
  );
  const value = fc.oneof(
    fc.constantFrom(
      '1',
      '0',
      '-1',
      '1e9',
      'active',
      'id',
      'null',
      "' or 1=1 --",
      '2026-01-01',
      '../../etc/passwd',
    ),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.string({ unit: 'binary', maxLength: 50 }),
    fc.bigInt().map(String),
    fc.double().map(String),
  );
  return fc.array(fc.tuple(name, value), { maxLength: 4 }).map((pairs) => pairs.filter(isWellFormed));
}

/** A half of a surrogate pair cannot be written in a URL. */
const isWellFormed = (pair: [string, string]) => pair.every((one) => !/\p{Surrogate}/u.test(one));

/** Paths below the prefix: those of the endpoints, ones near them, and any others. */
export function path(known: readonly string[]): fc.Arbitrary<string> {
  // Node itself refuses other characters with 400.
  const unit = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
  const any = fc.string({ unit, maxLength: 60 });
  return fc.oneof(
    fc.constantFrom(...known),
    fc.tuple(fc.constantFrom(...known), any).map(([one, more]) => one + more),
    any.map((more) => `/${more}`),
    fc.constantFrom('', '/', '//', '/..', '/%2e%2e/me.php', '/me.php/', '/%00', '/me.php;x', '/ME.PHP'),
  );
}
