import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../section/assets/styles');
const files = readdirSync(FOLDER).map((name): [string, string] => [
  name,
  readFileSync(join(FOLDER, name), 'utf8').replace(/\/\*[\s\S]*?\*\//g, ''),
]);
const PAGES = files.filter(([name]) => name >= '60');

// In a panel's layout, a fixed colour may be illegible, and the size of rem and of the window says nothing.
test.each(PAGES)(
  'The styles of pages in %s use the shared colours, and sizes of the section',
  (_name, text) => {
    expect(
      text.match(/#[\da-f]{3,8}\b(?=[;,) ])|light-dark|\d(?:rem|vw)\b|@media \([^)]*width/gi),
    ).toBeNull();
  },
);

test.each(files)('The styles in %s concern only the section', (_name, text) => {
  const selectors = text.match(/^ *[^\s@}][^;{}]*(?=\{)/gm) ?? [];
  expect(selectors.length).toBeGreaterThan(0);
  expect(selectors.filter((selector) => !selector.trim().startsWith('.api-section'))).toEqual([]);
});
