import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const sheet = readFileSync(join(__dirname, '../../section/assets/styles/section.css'), 'utf8');
const text = sheet.replace(/\/\*[\s\S]*?\*\//g, '');

/** The rules and at-rules at the top of the sheet, each with what is within it. */
const parts = [...text.matchAll(/^([^\s}][^{}]*)\{\n([\s\S]*?)\n\}$/gm)].map(([, name = '', body = '']) => ({
  name: name.trim(),
  body,
}));

test('The styles concern only the section', () => {
  const top = parts.filter(({ name }) => !name.startsWith('@'));
  const nested = parts
    .filter(({ name }) => name.startsWith('@'))
    .flatMap(({ body }) => body.match(/^ {2}[^\s}][^{}]*(?=\{)/gm) ?? []);
  const selectors = [...top.map(({ name }) => name), ...nested].flatMap((name) => name.split(/,\n/));
  expect(selectors.length).toBeGreaterThan(5);
  expect(selectors.filter((selector) => !selector.trim().startsWith('.api-section'))).toEqual([]);
});

// In a panel's layout, a fixed colour may be illegible, and the size of rem and of the window says nothing.
test('The styles use the shared colours, and sizes of the section, except for those of the own frame', () => {
  const others = parts.filter(({ name }) => name !== '.api-section-frame').map(({ body }) => body);
  // A property is where a colour is declared.
  const used = others.join('\n').replace(/^ *--[\s\S]*?;$/gm, '');
  expect(used.length).toBeGreaterThan(10_000);
  expect(used.match(/#[\da-f]{3,8}\b(?=[;,) ])|light-dark|\d(?:rem|vw)\b|@media \([^)]*width/gi)).toBeNull();
});

test('The styles are one sheet of at most 1,300 lines', () => {
  expect(sheet.trimEnd().split('\n').length).toBeLessThanOrEqual(1300);
});
