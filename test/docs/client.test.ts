import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '../../client';
import { operations } from '../../routes';

const ROOT = join(__dirname, '..', '..');
const page = readFileSync(join(ROOT, 'docs/reference/client.md'), 'utf8');
const source = readFileSync(join(ROOT, 'client/index.ts'), 'utf8');

describe('docs/reference/client.md', () => {
  test('names every export', () => {
    const listed = [...source.matchAll(/^export (?:type )?\{([^}]+)\}/gm)].flatMap(([, names]) =>
      names?.split(','),
    );
    const names = ['createClient', 'FileStore', ...listed.map((name) => String(name).trim())];
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !page.includes(`\`${name}`))).toEqual([]);
  });

  test('names every method', () => {
    const methods = Object.keys(createClient({ baseUrl: 'https://panel.example', token: 'x' }));
    expect(methods).toHaveLength(operations.length + 1);
    expect(methods).toContain('sync');
    expect(methods.filter((name) => !new RegExp(`\`(client\\.)?${name}[\`(]`).test(page))).toEqual([]);
  });
});
