import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { scopesOf } from '../../lib/fields/Operation';
import { operations } from '../../routes';
import { publicTypes } from '../golden/publicTypes';
import { runCommand } from '../runCommand';
import { builtCommand } from '../servers/builtCommand';

const folder = join(dirname(builtCommand()), '..');
/** What a program imports. */
const ENTRIES = ['index.d.ts', 'client/index.d.ts', 'client/FileStore.d.ts'];
const FROM = /(?:from |import\()["']([^"'\n]+)["']/g;

/** The declarations that a program reads which imports this one, and the packages that they import. */
function reachedFrom(entry: string): { readonly files: ReadonlySet<string>; readonly packages: string[] } {
  const files = new Set([join(folder, entry)]);
  const packages = new Set<string>();
  for (const file of files) {
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(FROM)) {
      const target = join(dirname(file), path);
      if (!path.startsWith('.')) packages.add(path);
      else files.add([`${target}.d.ts`, join(target, 'index.d.ts')].find(existsSync) ?? target);
    }
  }
  return { files, packages: [...packages].toSorted() };
}

test('the types of the client and of its store need no other package', () => {
  const { files, packages } = reachedFrom('client/index.d.ts');
  expect(packages).toEqual([]);
  expect(files.size).toBeGreaterThan(5);
  expect(reachedFrom('client/FileStore.d.ts').packages).toEqual([]);
});

test('the types of the mount name no part that a host cannot reach', () => {
  const { files, packages } = reachedFrom('index.d.ts');
  expect(packages).toEqual(['@koa/router', 'knex', 'koa', 'node:http', 'node:http2']);
  expect(
    [...files].filter((file) => /Dialect|Session\.d|Plan\.d|Database\.d|Installation|\.json$/.test(file)),
  ).toEqual([]);
});

test('the types of the mount are the recorded ones, with the scopes that the build names', async () => {
  const built = await publicTypes('test/golden/builtTypes.tsconfig.json', 'dist/index.d.ts');
  const recorded = readFileSync(join(__dirname, '../golden/publicTypes.txt'), 'utf8');
  // Properties of one type are in one line.
  const others = (text: string) => text.replace(/^.*\b(?:scopes|allowedAddresses)\b.*\n/gm, '');
  expect(others(built)).toBe(others(recorded));
  for (const scope of scopesOf(operations)) expect(built).toContain(`"${scope}"`);
});

test('no other types are in the package', () => {
  const reached = ENTRIES.flatMap((entry) => [...reachedFrom(entry).files]);
  const built = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.d.ts'),
  );
  expect(built.filter((name) => !reached.includes(join(folder, name)))).toEqual([]);
  expect(built.length).toBeGreaterThan(50);
});

test('the types compile', async () => {
  const tsc = join(__dirname, '../../node_modules/.bin/tsc');
  const options = '--noEmit --ignoreConfig --strict --target es2022 --module nodenext --types node';
  const entries = ENTRIES.map((entry) => join(folder, entry));
  expect(await runCommand(tsc, [...options.split(' '), ...entries])).toBe('');
});
