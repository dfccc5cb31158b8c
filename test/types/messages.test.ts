import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommand } from '../runCommand';
import { ScratchDirectory } from '../ScratchDirectory';
import { builtCommand } from '../servers/builtCommand';

const root = join(__dirname, '..', '..');
/** The built types, as a host's compiler reads them. */
const types = join(dirname(builtCommand()), '..', 'index');

/** What the compiler says of one line of TypeScript about `sources`, a string for each of its errors. */
async function messagesFor(sources: readonly string[]): Promise<readonly string[]> {
  const directory = new ScratchDirectory('types');
  try {
    const head = `import type { Sources } from ${JSON.stringify(types)};`;
    const lines = sources.map((text, index) => `export const s${index}: Sources = ${text};`);
    writeFileSync(join(directory.path, 'sources.ts'), [head, ...lines].join('\n'));
    const compilerOptions = {
      noEmit: true,
      skipLibCheck: true,
      typeRoots: [join(root, 'node_modules', '@types')],
      rootDir: '/',
    };
    const project = join(directory.path, 'tsconfig.json');
    writeFileSync(
      project,
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions,
        include: [],
        files: ['sources.ts'],
      }),
    );
    const tsc = join(root, 'node_modules', '.bin', 'tsc');
    const printed = await runCommand(tsc, ['--project', project, '--pretty', 'false']).then(
      () => '',
      (error: Error) => error.message,
    );
    return printed.split(/^.*sources\.ts\(\d+,\d+\): error TS\d+: /m).slice(1);
  } finally {
    await directory.remove();
  }
}

describe('What the compiler says of sources', () => {
  let field: string;
  let word: string;
  let list: string;
  let choices: readonly string[];

  beforeAll(async () => {
    [field = '', word = '', list = '', ...choices] = await messagesFor([
      "{ domains: { fields: { domian: 'name' } } }",
      "{ accounts: { fields: { status: { values: { ok: 'actve' } } } } }",
      '{ acounts: false }',
      "{ accounts: { fields: { disk_used_bytes: { column: 'disk', unit: 'bytes' } } } }",
      "{ accounts: { fields: { created_at: { column: 'created', time: 'epoch' } } } }",
      "{ accounts: { fields: { status: { colum: 'active' } } } }",
      "{ accounts: { fields: { status: { column: 'a', valeus: { y: 'active' } } } } }",
    ]);
  });

  it('names a misspelt field and its list in one line', () => {
    expect(field.trim()).toMatch(
      /^Object literal .* 'domian' does not exist in type 'FieldSources<"domains">/,
    );
    expect(field.trim()).not.toContain('\n');
  });

  it('suggests the word that was meant, and names the list', () => {
    expect(word).toContain('Source<"accounts">');
    expect(word).toContain('Did you mean \'"active"\'?');
  });

  it('suggests the list that was meant', () => {
    expect(list).toContain("Did you mean to write 'accounts'?");
  });

  it.each([
    ['a unit', 0, /not assignable to type '"GB" \| "KB" \| "MB" \| "TB" \|/],
    ['a form of times', 1, /not assignable to type '"date" \| "datetime" \| "unix" \| "unix-ms" \|/],
    ['a keyword', 2, /'colum' does not exist in type .*Did you mean to write 'column'\?/],
    [
      'a keyword beside others',
      3,
      /'valeus' does not exist .*readonly column\?: .*Did you mean to write 'values'\?/,
    ],
  ])('shows what can be written in place of %s that does not exist', (_what, at, message) => {
    expect(choices[at]).toMatch(message);
  });

  it('does not print the declaration of an endpoint', () => {
    expect([field, word, list].join('')).not.toContain('readonly scope');
  });
});
