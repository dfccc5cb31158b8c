import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The folders of the source, lowest first. Each may import only from those before it. */
const FLOORS = [
  'lib/json',
  'lib/errors',
  'lib/time',
  'lib/problems',
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
  'lib/tokens',
  'lib/history',
  'lib/limiter',
  'lib/sources',
  'lib/accounts',
  'lib/lists',
  'lib/health',
  'lib/options',
  'lib/requests',
  'lib/openapi',
  'lib/Installation.ts',
  'middleware',
  'routes',
  'client',
  'section',
  'account-section',
  'assistants',
  'metrics',
  'scripts',
  'index.ts',
  'bin',
];

/** A file, and a file that it imports. */
type Edge = readonly [file: string, other: string];

/** How many files of `lib` each part above it may import. */
const NARROW = [
  ['account-section', 10],
  ['assistants', 10],
  ['bin', 20],
  ['metrics', 8],
  ['section', 20],
] as const;

/** The interfaces of what parts above `lib` use of a mounted API besides PanelApi, with their files. */
const INTERFACES = [
  ['CommandParts', 'bin/CommandParts.ts'],
  ['MetricsParts', 'metrics/createMetrics.ts'],
  ['SectionParts', 'section/SectionParts.ts'],
] as const;

const MOST_MEMBERS = 15;

const MOST_LINES = 300;
/** The lines of code of all files today. A change that needs more of them raises it, in the open. */
const LINES_OF_CODE = 25_597;
const ROOT = join(__dirname, '..', '..');

const files = [
  'index.ts',
  ...[
    'lib',
    'middleware',
    'routes',
    'client',
    'assistants',
    'section',
    'account-section',
    'metrics',
    'scripts',
    'bin',
  ].flatMap(filesOf),
];
const edges: readonly Edge[] = files.flatMap((file) => importsOf(file).map((other): Edge => [file, other]));

function filesOf(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .toSorted()
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
}

/** The source files that a file imports, including imports of types. */
function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const found = text.matchAll(
    /^(?:import|export)\s(?:[^;'"]*\sfrom\s)?'(\.[^']*)'|\b(?:import|require)\('(\.[^']*)'\)/gm,
  );
  return [...found].map(([, from, lazy]) => {
    const path = join(dirname(join(ROOT, file)), from ?? lazy ?? '');
    return relative(ROOT, existsSync(`${path}.ts`) ? `${path}.ts` : join(path, 'index.ts'));
  });
}

/** What loads a module at run time, up to its name. */
const LOADED = /^(?:import|export)\s(?!type\b)(?:[^;'"]*\sfrom\s)?'[^']*'|\b(?:import|require)\([^)]*\)/gm;

function floorOf(file: string): number {
  return FLOORS.findIndex((floor) => file === floor || file.startsWith(`${floor}/`));
}

test('every file is on a floor of the list', () => {
  expect(files.filter((file) => floorOf(file) < 0)).toEqual([]);
});

test('every floor of the list has a file', () => {
  expect(FLOORS.filter((_, index) => !files.some((file) => floorOf(file) === index))).toEqual([]);
});

test('a floor imports only from floors below it', () => {
  const sentences = edges
    .filter(([file, other]) => floorOf(file) >= 0 && floorOf(other) > floorOf(file))
    .map(([file, other]) => {
      const [floor, above] = [FLOORS[floorOf(file)], FLOORS[floorOf(other)]];
      return `${file} imports ${other}, but ${above} is above ${floor} in FLOORS: pass to ${floor} what it needs, or move it down.`;
    });
  expect(sentences).toEqual([]);
});

test.each(NARROW)('%s imports at most %i files of lib, and not the whole installation', (part, most) => {
  const imported = edges
    .filter(([file, other]) => file.startsWith(`${part}/`) && other.startsWith('lib/'))
    .map(([, other]) => other);
  expect(new Set(imported).size).toBeLessThanOrEqual(most);
  expect(imported).not.toContain('lib/Installation.ts');
});

test.each(INTERFACES)(`%s has at most ${MOST_MEMBERS} members`, (name, file) => {
  const declared = new RegExp(`^(?:export )?interface ${name}\\b([^{]*)\\{\\n(.*?)^\\}`, 'ms');
  const [, head = '', body = ''] = declared.exec(readFileSync(join(ROOT, file), 'utf8')) ?? [];
  const members = [
    ...(head.match(/'\w+'/g) ?? []),
    ...(body.match(/^ {2}(?:readonly )?\w+(?=[?:(])/gm) ?? []),
  ];
  expect(members.length).toBeGreaterThan(0);
  expect(members.length).toBeLessThanOrEqual(MOST_MEMBERS);
});

test('the middleware and the routes pass no part of lib on, and no part takes one from the root', () => {
  const passed = files
    .filter((file) => /^(?:middleware|routes)\//.test(file))
    .filter((file) => /^export [^;]*from '\.\.\/lib\//m.test(readFileSync(join(ROOT, file), 'utf8')));
  expect(passed).toEqual([]);
  const root = readFileSync(join(ROOT, 'index.ts'), 'utf8');
  const namesIn = (texts: Iterable<RegExpMatchArray>) =>
    [...texts].flatMap(([, names = '']) => names.replace(/\btype\b/g, '').match(/\w+/g) ?? []);
  const namesOfLib = new Set(namesIn(root.matchAll(/^export (?:type )?\{([^}]*)\} from '\.\/lib\//gm)));
  expect(namesOfLib.size).toBeGreaterThan(0);
  const taken = edges
    .filter(([file, other]) => other === 'index.ts' && NARROW.some(([part]) => file.startsWith(`${part}/`)))
    .flatMap(([file]) =>
      namesIn(
        readFileSync(join(ROOT, file), 'utf8').matchAll(
          /^import (?:type )?\{([^}]*)\} from '[./]*\/index'/gm,
        ),
      ),
    );
  expect(taken.length).toBeGreaterThan(0);
  expect(taken.filter((name) => namesOfLib.has(name))).toEqual([]);
});

// The build replaces one file by its values, which `test/client/otherRuntimes.test.ts` loads.
test('the client loads nothing from outside its folder: it also runs in a browser', () => {
  const ofNode = 'client/FileStore.ts';
  expect(edges.filter(([file, other]) => file.startsWith('client/') && other === ofNode)).toEqual([]);
  const loads = files
    .filter((file) => file.startsWith('client/') && file !== 'client/resources.ts' && file !== ofNode)
    .flatMap(
      (file) =>
        readFileSync(join(ROOT, file), 'utf8')
          .match(LOADED)
          ?.map((line) => [file, line]) ?? [],
    );
  expect(loads.filter(([, line]) => !line?.includes("'./"))).toEqual([]);
  expect(loads.length).toBeGreaterThan(0);
});

test('no files import each other in a circle', () => {
  const circles = edges
    .filter(([file, other]) => reaches(other, file))
    .map(([file, other]) => `${file} imports ${other}, which imports it, at least through others.`);
  expect(circles).toEqual([]);
});

test(`no file has more than ${MOST_LINES} lines`, () => {
  const lengths = files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1]);
  expect(lengths.filter(([, lines]) => Number(lines) > MOST_LINES)).toEqual([]);
});

/** Whether a file imports another, directly or indirectly. */
function reaches(from: string, to: string): boolean {
  const reached = new Set([from]);
  for (const file of reached)
    for (const [importer, imported] of edges) if (importer === file) reached.add(imported);
  return reached.has(to);
}

test('the source keeps to its budget of lines of code', () => {
  const lines = files.map((file) => codeLines(readFileSync(join(ROOT, file), 'utf8')));
  expect(lines.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(LINES_OF_CODE);
});

test('comments, imports, exports from other files and blank lines are no lines of code', () => {
  const text = [
    "import a from 'b';",
    '/**',
    ' * Why.',
    ' */',
    '',
    '// Why.',
    "export { c } from 'd';",
    'run();',
  ];
  expect(codeLines(text.join('\n'))).toBe(1);
});

/** The lines that are left without comments, imports, exports from other files and blank lines. */
function codeLines(text: string): number {
  const code = text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^import[\s\S]*?from '[^']*';$/gm, '')
    .replace(/^import '[^']*';$/gm, '')
    .replace(/^export (?:type )?\{[^}]*\} from '[^']*';$/gm, '')
    .replace(/^\s*\/\/.*$/gm, '');
  return code.split('\n').filter((line) => line.trim() !== '').length;
}
