import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TESTS = join(__dirname, '..');

test('a test file that bounds a time imports what tries such a test again', () => {
  const bounding = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && !/^(?:cluster|prove|structure)\//.test(name))
    .map((name) => [name, readFileSync(join(TESTS, name), 'utf8')] as const)
    .filter(([, text]) => /expect\(performance\.now\(\) - \w+\)|\blived\)\.toBeLess/.test(text));
  expect(bounding.length).toBeGreaterThan(5);
  expect(bounding.filter(([, text]) => !/\/(?:tryAgain|livedMs)'/.test(text)).map(([name]) => name)).toEqual(
    [],
  );
});
