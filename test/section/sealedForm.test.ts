import { randomBytes } from 'node:crypto';
import { type Person, seal, unseal } from '../../section/sealed';

const KEY = randomBytes(32);
const PURPOSE = { person: { actor: 'ann', origin: 'api-section' }, action: 'test' } as const;
const LIFETIME_MS = 60_000;
const FORM = new URLSearchParams([
  ['name', 'Billing of “Example” & Co'],
  ['scope', 'domains.read'],
  ['scope', 'email.read'],
]);

describe('A sealed form', () => {
  test('contains its fields', () => {
    const fields = unseal(KEY, PURPOSE, seal(KEY, PURPOSE, FORM), LIFETIME_MS) ?? [];
    expect([...fields]).toEqual([...FORM, ['time', expect.any(String)]]);
  });

  test('shows nothing of them, and is another text each time', () => {
    const sealed = seal(KEY, PURPOSE, FORM);
    expect(Buffer.from(sealed, 'base64url').includes('Billing')).toBe(false);
    expect(seal(KEY, PURPOSE, FORM)).not.toBe(sealed);
  });

  test('cannot be opened with another key', () => {
    expect(unseal(randomBytes(32), PURPOSE, seal(KEY, PURPOSE, FORM), LIFETIME_MS)).toBeNull();
  });

  test('cannot be opened for another purpose, so that no notice is taken for the token of a form', () => {
    expect(unseal(KEY, { ...PURPOSE, action: 'another' }, seal(KEY, PURPOSE, FORM), LIFETIME_MS)).toBeNull();
  });

  test.each(['', 'x', 'A'.repeat(60), '%%%', '../..'])('is not the text %j', (text) => {
    expect(unseal(KEY, PURPOSE, text, LIFETIME_MS)).toBeNull();
  });

  test('cannot be changed', () => {
    const bytes = Buffer.from(seal(KEY, PURPOSE, FORM), 'base64url');
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed[index]! ^= 1;
      expect(unseal(KEY, PURPOSE, changed.toString('base64url'), LIFETIME_MS)).toBeNull();
    }
  });

  test('is for one administrator, one action and some time', () => {
    const purpose = { person: { actor: 'ann', origin: 'api-section' }, action: 'done tokens/7' } as const;
    const otherThan = (person: Partial<Person>) => ({ ...purpose, person: { ...purpose.person, ...person } });
    const sealed = seal(KEY, purpose, new URLSearchParams({ words: 'Changed.' }));
    expect(unseal(KEY, purpose, sealed, LIFETIME_MS)?.get('words')).toBe('Changed.');
    for (const other of [
      { actor: 'bob' },
      { origin: 'account-section' },
      { accountId: 7 },
      { by: 'bob' },
    ] as const)
      expect(unseal(KEY, otherThan(other), sealed, LIFETIME_MS)).toBeNull();
    expect(unseal(KEY, { ...purpose, action: 'tokens/7' }, sealed, LIFETIME_MS)).toBeNull();
    expect(unseal(KEY, purpose, sealed, -1)).toBeNull();
  });

  test('has no second spelling', () => {
    const sealed = seal(KEY, PURPOSE, FORM);
    for (const text of [`${sealed}=`, ` ${sealed}`, `${sealed.slice(0, 9)}.${sealed.slice(9)}`])
      expect(unseal(KEY, PURPOSE, text, LIFETIME_MS)).toBeNull();
  });
});
