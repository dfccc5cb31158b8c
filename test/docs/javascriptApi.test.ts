import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const page = readFileSync(join(ROOT, 'docs/reference/javascript-api.md'), 'utf8');
const types = readFileSync(join(ROOT, 'test/golden/publicTypes.txt'), 'utf8');

/** The classes behind the properties of the API. */
const CLASSES = ['Tokens', 'Settings', 'AuditLog', 'Usage'];

describe('docs/reference/javascript-api.md', () => {
  test('names every export', () => {
    const names = [...types.matchAll(/^(?:class|type|function) (\w+)/gm)].map(([, name]) => String(name));
    expect(names.length).toBeGreaterThan(30);
    expect([...new Set(names)].filter((name) => !new RegExp(`\`${name}\\b`).test(page))).toEqual([]);
  });

  test.each(CLASSES)('names every method of %s', (name) => {
    const [, body = ''] = new RegExp(`^class ${name} \\{\\n(.*?)^\\}`, 'ms').exec(types) ?? [];
    const methods = [...body.matchAll(/^ {2}(\w+)[<(]/gm)].map(([, method]) => String(method));
    expect(methods.length).toBeGreaterThan(0);
    expect(methods.filter((method) => !new RegExp(`\`${method}\\b`).test(page))).toEqual([]);
  });
});
