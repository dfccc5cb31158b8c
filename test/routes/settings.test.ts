import { readSetting } from '../../routes/settings';

test.each([
  ['string', 'on', 'on'],
  ['string', '', ''],
  ['integer', '42', 42],
  ['integer', '-7.0', -7],
  ['integer', '9007199254740993', 9007199254740993n],
  ['number', '0.25', 0.25],
  ['boolean', 'Yes', true],
  ['boolean', '0', false],
  ['list', '["a","b c"]', ['a', 'b c']],
  ['list', 'a, b;c', ['a', 'b', 'c']],
])('the %s %p is read as %p', (type, value, read) => {
  expect(readSetting({ key: 'site', type, value })).toMatchObject({ type, value: read });
});

test.each([
  ['integer', '1.5'],
  ['integer', 'many'],
  ['integer', '1'.repeat(41)],
  ['number', ' '],
  ['number', 'Infinity'],
  ['boolean', 'maybe'],
])('what the panel calls %s and is not, %p, is a string', (type, value) => {
  expect(readSetting({ key: 'site', type, value })).toMatchObject({ type: 'string', value });
});

test.each([
  ['integer', null],
  ['boolean', null],
  ['string', null],
  ['list', []],
])('a missing %s keeps its type', (type, value) => {
  expect(readSetting({ key: 'site', type, value: null })).toEqual({ type, value, isSet: false });
});

test('an empty number is null', () => {
  expect(readSetting({ key: 'site', type: 'number', value: '' })).toEqual({
    type: 'number',
    value: null,
    isSet: false,
  });
});

test("the panel's word for the type counts in any case", () => {
  expect(readSetting({ key: 'site', type: ' Integer', value: '5' }).type).toBe('integer');
});

test.each([undefined, null, 'colour', 7n])(
  'without a known type, such as %p, a setting is a string',
  (type) => {
    expect(readSetting({ key: 'site', type, value: '5' })).toMatchObject({ type: 'string', value: '5' });
  },
);

test('a setting with a key that looks like a credential is a secret, whatever type the panel names', () => {
  expect(readSetting({ key: 'smtp_password', type: 'string', value: 'geheim' })).toEqual({
    type: 'secret',
    value: null,
    isSet: true,
  });
});

test.each(['secret', 'Password'])("a setting of the panel's type %s is a secret", (type) => {
  expect(readSetting({ key: 'relay', type, value: 'geheim' })).toMatchObject({ type: 'secret', value: null });
});

test('a row without a readable key shows no value', () => {
  expect(readSetting({ key: null, value: 'geheim' }).value).toBeNull();
});

test('a value that is not empty is set', () => {
  expect(readSetting({ key: 'site', value: '0' }).isSet).toBe(true);
});

test.each(['', null, undefined])('the value %p is not set', (value) => {
  expect(readSetting({ key: 'site', value }).isSet).toBe(false);
});

test('a panel that hides its secrets may say that one is set', () => {
  expect(readSetting({ key: 'smtp_password', value: null, is_set: true }).isSet).toBe(true);
});
