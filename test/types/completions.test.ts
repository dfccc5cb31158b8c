import { dirname, join } from 'node:path';
import { builtCommand } from '../servers/builtCommand';

/** The types of the package, as an editor of a host reads them. */
const built = join(dirname(builtCommand()), '..');
const FILE = join(built, 'host.ts');

// The compiler of the tests has no language service that runs in a process of Node.js.
// biome-ignore lint/suspicious/noExplicitAny: these are the types of that package.
const ts: any = require(
  require.resolve('typescript', { paths: [require.resolve('@arethetypeswrong/core')] }),
);

const HEAD = `import type { Sources, Tokens } from './index';
import type { Item, ListParameters, PanelApiError } from './client';
declare const tokens: Tokens;
declare const item: Item<'domains'>;
declare const error: PanelApiError;
`;

const edited = { text: '', version: 0 };
const service = ts.createLanguageService({
  getScriptFileNames: () => [FILE],
  getScriptVersion: (file: string) => (file === FILE ? String(edited.version) : '0'),
  getScriptSnapshot: (file: string) => {
    const read = file === FILE ? edited.text : ts.sys.readFile(file);
    return read === undefined ? undefined : ts.ScriptSnapshot.fromString(read);
  },
  getCurrentDirectory: () => built,
  getCompilationSettings: () => ({ strict: true, skipLibCheck: true, module: ts.ModuleKind.CommonJS }),
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
  readDirectory: ts.sys.readDirectory,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
});

/** What an editor suggests where `|` stands: each word with its text. */
function completionsOf(text: string): ReadonlyMap<string, string> {
  const at = HEAD.length + text.indexOf('|');
  edited.text = HEAD + text.replace('|', '');
  edited.version += 1;
  const entries = service.getCompletionsAtPosition(FILE, at, {})?.entries ?? [];
  const textOf = (name: string) =>
    ts.displayPartsToString(
      service.getCompletionEntryDetails(FILE, at, name, {}, undefined, {}, undefined)?.documentation,
    );
  return new Map(entries.map(({ name }: { name: string }) => [name, textOf(name)]));
}

describe('What an editor shows', () => {
  test.each([
    [
      'fields of a source',
      'const s: Sources = { domains: { fields: { | } } };',
      'ssl_status',
      /^Status of the domain's certificate/,
    ],
    [
      'fields of an account',
      'const s: Sources = { accounts: { fields: { | } } };',
      'disk_used_bytes',
      /^Disk space/,
    ],
    ['keywords', 'const s: Sources = { domains: { fields: { status: { | } } } };', 'column', /^The column/],
    ['fields of an item', 'item.|', 'registration_expires_at', /\w/],
    ['filters of a list', "const p: ListParameters<'jobs'> = { | };", 'status', /^Status of the job\.$/],
    ['details of an error', 'error.details.|', 'retry_after', /^Seconds until/],
    [
      'properties of a token',
      'tokens.create({ | }, {} as never);',
      'scopes',
      /^One or more of the endpoints' scopes/,
    ],
  ])('the %s with their texts', (_what, text, name, documentation) => {
    expect(completionsOf(text).get(name)).toMatch(documentation);
  });

  test.each([
    [
      'a scope',
      "tokens.create({ name: 'x', scopes: ['|'] }, {} as never);",
      ['domains.read', 'platform.read', '*'],
    ],
    [
      'a unit',
      "const s: Sources = { accounts: { fields: { disk_used_bytes: { unit: '|' } } } };",
      ['KB', 'text'],
    ],
    [
      'a word',
      "const s: Sources = { domains: { fields: { status: { value: '|' } } } };",
      ['active', 'suspended'],
    ],
  ])('the choices of %s', (_what, text, choices) => {
    expect([...completionsOf(text).keys()]).toEqual(expect.arrayContaining(choices));
  });
});
