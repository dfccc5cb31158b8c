import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TESTS = join(__dirname, '..');

/** The files with such names, with their texts. */
const filesOf = (names: RegExp) =>
  readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((name) => names.test(name))
    .map((name) => [name, readFileSync(join(TESTS, name), 'utf8')] as const);

test('a test file that bounds a time imports what tries such a test again', () => {
  const bounding = filesOf(/^(?!cluster|prove|structure).*\.test\.ts$/).filter(([, text]) =>
    /expect\(performance\.now\(\) - \w+\)|\blived\)\.toBeLess/.test(text),
  );
  expect(bounding.length).toBeGreaterThan(5);
  expect(bounding.filter(([, text]) => !/\/(?:tryAgain|livedMs)'/.test(text)).map(([name]) => name)).toEqual(
    [],
  );
});

test('a panel of a test that serves requests has a deadline that a busy machine meets', () => {
  const serving = filesOf(/^(?!steps\/hosts\/types).*\.(?:ts|[cm]?js)$/).filter(
    ([, text]) =>
      text.includes('createPanelApi({') && /\.(?:listen|routes|handler)\(|tokens\.create\(/.test(text),
  );
  expect(serving.length).toBeGreaterThan(20);
  expect(serving.filter(([, text]) => !text.includes('deadlineMs')).map(([name]) => name)).toEqual([]);
});
