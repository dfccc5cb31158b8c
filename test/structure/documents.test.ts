import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

describe.each(['CONTRIBUTING.md', 'docs/architecture.md'])('%s', (file) => {
  test('links only to files that exist', () => {
    const links = [...read(file).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path]) => String(path));
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter((path) => !existsSync(join(ROOT, dirname(file), path)))).toEqual([]);
  });

  test('names only paths that exist', () => {
    const rooms =
      /(?<![\w/.])(?:lib|middleware|routes|section|bin|scripts|test|docs|demo|bench)\/[\w./-]*\w/g;
    const names = [...read(file).matchAll(rooms)].map(([name]) => name);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
  });

  test('names only scripts that package.json has', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const named = [...read(file).matchAll(/npm run ([\w:]+)/g)].map(([, name]) => String(name));
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

test('docs/architecture.md shows every folder of lib', () => {
  const picture = /```text\n([^`]*)```/.exec(read('docs/architecture.md'))?.[1] ?? '';
  const folders = readdirSync(join(ROOT, 'lib'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `lib/${name}`);
  expect(folders.filter((folder) => !new RegExp(`${folder}\\b`).test(picture))).toEqual([]);
});
