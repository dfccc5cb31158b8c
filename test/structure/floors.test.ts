import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The rooms of the source, from the ground up: each imports only from those that stand before it. */
const FLOORS = [
  'lib/json',
  'lib/errors',
  'lib/time',
  'lib/async',
  'lib/addresses',
  'lib/database',
  'lib/log',
  'lib/audit',
  'lib/fields',
  'lib/system',
  'lib/masking',
  'lib/settings',
  'lib/usage',
  'lib/operations',
  'lib/tokens',
  'lib/limiter',
  'lib/sources',
  'lib/lists',
  'lib/release',
  'lib/health',
  'lib/options',
  'lib/requests',
  'lib/openapi',
  'lib/Installation.ts',
  'lib/installationOf.ts',
  'middleware',
  'routes',
  'section',
  'scripts',
  'bin',
  'index.ts',
];

/** Imports that go upwards, and circles, until they are mended: the list only shrinks. */
const EXCEPTIONS: readonly string[] = [
  'lib/errors/asApiError.ts -> lib/database/DatabaseFailure.ts',
  'lib/tokens/pages.ts -> lib/lists/cursor.ts',
  'lib/database/Dialect.ts -> lib/database/Session.ts -> lib/database/Dialect.ts',
  'lib/database/Database.ts -> lib/database/LockedRows.ts -> lib/database/Database.ts',
  'lib/lists/cursor.ts -> lib/lists/parseListQuery.ts -> lib/lists/cursor.ts',
];

const MOST_LINES = 300;
const ROOT = join(__dirname, '..', '..');

const files = ['index.ts', ...['lib', 'middleware', 'routes', 'section', 'scripts', 'bin'].flatMap(filesOf)];
const imports = new Map(files.map((file) => [file, importsOf(file)]));

function filesOf(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .toSorted()
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
}

/** The files of the source that a file imports, for their values or only for their types. */
function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const found = text.matchAll(
    /^(?:import|export)\s(?:[^;'"]*\sfrom\s)?'(\.[^']*)'|\bimport\('(\.[^']*)'\)/gm,
  );
  return [...found].map(([, from, lazy]) => {
    const path = join(dirname(join(ROOT, file)), from ?? lazy ?? '');
    return relative(ROOT, existsSync(`${path}.ts`) ? `${path}.ts` : join(path, 'index.ts'));
  });
}

function floorOf(file: string): number {
  return FLOORS.findIndex((room) => file === room || file.startsWith(`${room}/`));
}

test('every file is in a room of the list', () => {
  expect(files.filter((file) => floorOf(file) < 0)).toEqual([]);
});

test('a room imports only from rooms below it', () => {
  const sentences = upwardImports()
    .filter((edge) => !EXCEPTIONS.includes(edge))
    .map((edge) => {
      const [file = '', other = ''] = edge.split(' -> ');
      const [room, above] = [FLOORS[floorOf(file)], FLOORS[floorOf(other)]];
      return `${file} imports ${other}, but ${above} stands above ${room} in FLOORS: hand ${room} what it needs, or move it down.`;
    });
  expect(sentences).toEqual([]);
});

function upwardImports(): readonly string[] {
  return [...imports].flatMap(([file, imported]) =>
    imported
      .filter((other) => floorOf(file) >= 0 && floorOf(other) > floorOf(file))
      .map((other) => `${file} -> ${other}`),
  );
}

test('no files import each other in a circle', () => {
  expect(circles().filter((circle) => !EXCEPTIONS.includes(circle))).toEqual([]);
});

function circles(): readonly string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) found.push([...way.slice(way.indexOf(file)), file].join(' -> '));
    else if (!done.has(file)) for (const other of imports.get(file) ?? []) visit(other, [...way, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  return found;
}

test('every exception is still needed', () => {
  const found = [...upwardImports(), ...circles()];
  expect(EXCEPTIONS.filter((exception) => !found.includes(exception))).toEqual([]);
});

test(`no file has more than ${MOST_LINES} lines`, () => {
  const lengths = files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1]);
  expect(lengths.filter(([, lines]) => Number(lines) > MOST_LINES)).toEqual([]);
});
