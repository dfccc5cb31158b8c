import { fillText, placeholdersOf } from '../../../lib/audit/auditTexts';

test('A text is filled with the values of its placeholders, in its order', () => {
  expect(fillText('Token {id} of {name}.', { name: 'ann', id: 7 })).toEqual([
    'Token ',
    7,
    ' of ',
    'ann',
    '.',
  ]);
});

test.each([
  [1, '1 token'],
  [2, '2 tokens'],
  [0, '0 tokens'],
])('A text that counts has the form for %i', (count, words) => {
  expect(fillText({ one: '{count} token', other: '{count} tokens' }, { count }).join('')).toBe(words);
});

test('The form of a count follows the language', () => {
  const polish = { one: '{count} token', few: '{count} tokeny', other: '{count} tokenów' };
  expect([1, 3, 5].map((count) => fillText(polish, { count }, 'pl').join(''))).toEqual([
    '1 token',
    '3 tokeny',
    '5 tokenów',
  ]);
});

test('The placeholders of a text are those of all its forms', () => {
  expect([...placeholdersOf({ one: 'a {thing}', other: '{count} {thing}' })]).toEqual(['thing', 'count']);
});
