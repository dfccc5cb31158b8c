import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Page, ROOT } from './Page';

const { text } = new Page('docs/reference/log.md');

const FOLDERS = ['account-section', 'lib', 'metrics', 'middleware', 'section'];

const source = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(ROOT, folder, file), 'utf8')),
).join('\n');

const unnamed = (names: readonly string[]) => names.filter((name) => !text.includes(`\`${name}\``));

describe('docs/reference/log.md', () => {
  test('names every line of the log', () => {
    const calls =
      /(?:\.(?:warn|info|warnOnce)\(|\[level\]\(|const message = |wrongAnswer: )(['"])(panel-api .+?)\1/g;
    const lines = [...source.matchAll(calls)].map(([, , line]) => String(line));
    expect(lines.length).toBeGreaterThan(8);
    expect(unnamed(lines)).toEqual([]);
  });

  test('names every field about a cause', () => {
    const fields = [...source.matchAll(/\bcause_\w+/g)].map(([field]) => field);
    expect(new Set(fields).size).toBeGreaterThan(4);
    expect(unnamed(fields)).toEqual([]);
  });

  test('names every action of the audit trail', () => {
    const actions = [...source.matchAll(/action: '([a-z]+\.[a-z]+)'|'(api\.\w+)'/g)].map(
      ([, one, other]) => one ?? String(other),
    );
    expect(new Set(actions).size).toBeGreaterThan(5);
    expect(unnamed(actions)).toEqual([]);
  });
});
