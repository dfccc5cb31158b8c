import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Ended } from '../fixture/command/panelApi';
import { type PanelDatabase, panelDatabase } from '../fixture/command/panelDatabase';
import { handleSettings } from '../fixture/handleSettings';

const strips = Boolean((process.features as { readonly typescript?: unknown }).typescript);

/** A package with the entry of tsx, which makes this process read TypeScript, here with swc and extensions of one kind. */
const TSX = {
  'node_modules/tsx/package.json': '{ "type": "module", "exports": "./loader.mjs" }',
  'node_modules/tsx/loader.mjs':
    "import { register } from 'node:module';\nregister('./hooks.mjs', import.meta.url);\n",
  'node_modules/tsx/hooks.mjs': `
    import { readFileSync } from 'node:fs';
    import { createRequire } from 'node:module';
    import { fileURLToPath } from 'node:url';
    const { transformSync } = createRequire(${JSON.stringify(__filename)})('@swc/core');
    export const resolve = (name, context, next) =>
      next(/^\\.\\/\\w+$/.test(name) ? name + '.ts' : name, context);
    export const load = (url, context, next) => {
      if (!/\\.[cm]?ts$/.test(url)) return next(url, context);
      const { code } = transformSync(readFileSync(fileURLToPath(url), 'utf8'), { jsc: { parser: { syntax: 'typescript' } } });
      return { format: 'module', source: code, shortCircuit: true };
    };`,
};

const TYPED = 'type Options = { readonly db: object };\n';

describe('A configuration file in TypeScript', () => {
  let database: PanelDatabase;
  let folder: string;
  let source: string;

  beforeAll(async () => {
    database = await panelDatabase('mariadb');
    const knex = JSON.stringify(require.resolve('knex'));
    source = `import knex from ${knex};\nexport const db: object = knex(${JSON.stringify(handleSettings(database))});\n`;
  });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'panel-api-typescript-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (files: Readonly<Record<string, string>>) => {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
  };
  const status = (...args: readonly string[]): Promise<Ended> =>
    database.start(['status', ...args], { cwd: folder, env: { PANEL_API_DATABASE_URL: '' } });
  const refused = (sentence: string) => ({ code: 4, stdout: '', stderr: `${sentence}\n` });
  const missing = refused(
    `Node.js ${process.version} does not read TypeScript: use Node.js 22.18 or later, run npm install --save-dev tsx in the panel, or write the configuration file in JavaScript.`,
  );
  const isRead = { code: 0, stdout: expect.stringMatching(/^api +off$/m), stderr: '' };

  test.each([
    ['panel-api.config.ts', '{}'],
    ['panel-api.config.ts', '{ "type": "module" }'],
    ['panel-api.config.mts', '{ "type": "commonjs" }'],
  ])('is found as %s beside %s, and read if Node.js strips types', async (file, manifest) => {
    write({ 'package.json': manifest, [file]: `${TYPED}${source}export default { db } satisfies Options;` });
    expect(await status()).toEqual(strips ? isRead : missing);
  });

  test('is found as panel-api.config.cts, and read as a CommonJS module', async () => {
    const required = source.replace(/^import knex from (.*);/, 'const knex = require($1);');
    const commonjs = required.replace('export ', '');
    write({ 'panel-api.config.cts': `${TYPED}${commonjs}module.exports = { db } as Options;` });
    expect(await status()).toEqual(strips ? isRead : missing);
  });

  test.each(['ts', 'mts'])('is read with the tsx of the panel on every Node.js: .%s', async (extension) => {
    const config = `${TYPED}enum Kind { Read = 'read' }\nimport { db } from './db';\nexport default { db, panel: { name: Kind.Read } };`;
    write({ ...TSX, 'src/db.ts': source, [`src/config.${extension}`]: config });
    expect(await status('--config', `src/config.${extension}`)).toEqual(isRead);
  });

  test('is read after a configuration file in JavaScript', async () => {
    write({ 'panel-api.config.ts': 'throw new Error();', 'panel-api.config.js': 'module.exports = 5;' });
    expect((await status()).stderr).toMatch(/must export as its default the options/);
  });

  test('is not read with a tsx that others can change', async () => {
    write({ ...TSX, 'panel-api.config.ts': source });
    chmodSync(join(folder, 'node_modules/tsx/loader.mjs'), 0o666);
    const { code, stderr } = await status();
    expect([code, stderr]).toEqual([
      4,
      expect.stringMatching(/loader\.mjs: every user may write to it\.\n$/),
    ]);
  });

  test.each([
    [
      '{ "type": "module" }',
      "import { db } from './db';\nexport default { db };",
      /^The configuration file could not be loaded \(ERR_MODULE_NOT_FOUND: .*\/db\)\. Node\.js needs the extension in the import of the panel's own file, such as '\.\/db\.ts'\. Or run npm install --save-dev tsx in the panel\.\n$/,
    ],
    [
      '{}',
      "module.exports = require('./db');",
      /\(MODULE_NOT_FOUND: \.\/db\)\. Node\.js needs the extension/,
    ],
    [
      '{ "type": "module" }',
      "import 'no-such-package';",
      /^The configuration file could not be loaded \(ERR_MODULE_NOT_FOUND: no-such-package\)\.\n$/,
    ],
    [
      '{}',
      'enum Kind { Read }\nexport default {};',
      /\(ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX\)\. Node\.js only strips types: it reads no enum, .* Or run npm install --save-dev tsx in the panel\.\n$/,
    ],
    [
      '{ "type": "commonjs" }',
      'export default {};',
      /\(SyntaxError\)\. In a package of the type commonjs, a file with import or export, also one that the configuration imports, needs the extension \.mts\. In/,
    ],
    [
      '{ "type": "module" }',
      "import { Options } from './db.ts';\nexport default {} satisfies Options;",
      /\(SyntaxError\)\. .* In every package, types are imported with `import type`\. Or run/,
    ],
    [
      '{}',
      'throw new Error("Cannot find module \'s3cret\'");',
      /^The configuration file could not be loaded \(Error\)\.\n$/,
    ],
  ])('says why Node.js does not read it beside %s: %s', async (manifest, config, sentence) => {
    write({
      'package.json': manifest,
      'panel-api.config.ts': config,
      'db.ts': 'export type Options = object;\nexport const db: object = {};',
    });
    const { code, stdout, stderr } = await status();
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(strips ? sentence : /does not read TypeScript/);
  });
});
