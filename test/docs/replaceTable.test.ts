import { replaceTable } from '../fixture/referenceTables/replaceTable';

test('a table is written between markers on neighbouring lines, and written again it is the same', () => {
  const page = '# Page\n\n<!-- a -->\n<!-- /a -->\n<!-- b -->\n<!-- /b -->\n';
  const once = replaceTable(replaceTable(page, 'a', '| x |') ?? '', 'b', '| y |\n| z |') ?? '';
  expect(once).toBe('# Page\n\n<!-- a -->\n| x |\n<!-- /a -->\n<!-- b -->\n| y |\n| z |\n<!-- /b -->\n');
  expect(replaceTable(once, 'a', '| x |')).toBe(once);
});

test.each(['# Page\n', '<!-- a -->\n', '<!-- /a -->\n<!-- a -->\n'])(
  'a page without the markers has no table: %j',
  (page) => {
    expect(replaceTable(page, 'a', '')).toBeNull();
  },
);
