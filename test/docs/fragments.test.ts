import assert from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as panelApi from '../../index';
import { createFragmentPanel } from './examplePanel';
import { type Block, type Page, ROOT, shippedPages, TSC } from './Page';

const isFragment = ({ info, notRun }: Block) => /^(js|ts)$/.test(info) && notRun === undefined;
/** Files in TypeScript, and ES modules with the client, which clients in TypeScript copy. */
const isFile = ({ info, text }: Block) =>
  /^ts \S+$/.test(info) || (/^js \S+\.mjs$/.test(info) && text.includes("'koa-panel-api/client'"));
const isCompiled = (block: Block) => isFragment(block) || (isFile(block) && block.notRun === undefined);

const pages = shippedPages().filter(({ blocks }) => blocks.some(isCompiled));
const withScript = pages.filter(({ blocks }) =>
  blocks.some((block) => isFragment(block) && block.info === 'js'),
);

/** The values that a fragment may use without declaring them. */
const HEADER = `import Koa from 'koa';
import { knex } from 'knex';
import winston from 'winston';
declare const app: Koa;
declare const { db, logger }: import('koa-panel-api').PanelApiOptions;
declare const api: import('koa-panel-api').PanelApi;
declare const author: { readonly actor: string; readonly origin: 'panel' };
`;

test('all fragments, files in TypeScript and programs with the client compile strictly', () => {
  // Within the repository, so that the packages are found.
  const folder = mkdtempSync(join(ROOT, 'test', 'types', 'docs-'));
  try {
    for (const page of pages) writeSources(folder, page);
    const compilerOptions = {
      module: 'esnext',
      moduleResolution: 'bundler',
      esModuleInterop: true,
      rootDir: '../../..',
      noUnusedLocals: false,
      noUnusedParameters: false,
      paths: {
        'koa-panel-api': ['../../../dist/index.d.ts'],
        'koa-panel-api/client': ['../../../dist/client/index.d.ts'],
        'koa-panel-api/client/node': ['../../../dist/client/FileStore.d.ts'],
      },
    };
    const options = { extends: '../../../tsconfig.test.json', compilerOptions, include: ['*.ts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
    expect(spawnSync('nice', [TSC, '-p', folder], { encoding: 'utf8' }).stdout).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each(withScript.map((page) => [page.path, page] as const))(
  'the fragments of %s run',
  async (_path, page) => {
    const values = {
      ...panelApi,
      ...(await createFragmentPanel()),
      Koa: require('koa'),
      knex: require('knex').knex,
      winston: require('winston'),
      require: createRequire(join(ROOT, 'index.ts')),
      // Node's own only prints that an assertion is false.
      console: { ...console, assert: assert.ok },
    };
    const code = fragmentsOf(page, 'js').replace(IMPORTED, '');
    const run = new AsyncFunction(...Object.keys(values), `${code}`);
    await run(...Object.values(values));
  },
);

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (
  ...text: string[]
) => (...values: unknown[]) => Promise<void>;

/** Lines that load what is there already. */
const IMPORTED =
  /^(const .* = require\('(koa-panel-api|koa|knex|winston)'\)(\.\w+)?;|import .* from '(koa-panel-api|koa|knex|winston)';)\n/gm;

function fragmentsOf({ blocks }: Page, ...languages: string[]): string {
  return blocks
    .filter((block) => isFragment(block) && languages.includes(block.info))
    .map(({ text }) => text)
    .join('\n');
}

function writeSources(folder: string, page: Page): void {
  const name = page.path.replace(/\W/g, '-');
  for (const { info, text } of page.blocks.filter(isFile))
    writeFileSync(join(folder, `${name}-${info.slice(3).replace(/\.mjs$/, '.ts')}`), text);
  const code = fragmentsOf(page, 'js', 'ts');
  if (code === '') return;
  const imports = code.match(/^import .*;$/gm) ?? [];
  const names = Object.keys(panelApi).filter(
    (one) => !new RegExp(`import .*\\b${one}\\b`).test(imports.join('\n')),
  );
  const body = code.replace(/^import .*;\n/gm, '').replace(IMPORTED, '');
  const used = names.length > 0 ? `import { ${names.join(', ')} } from 'koa-panel-api';\n` : '';
  writeFileSync(
    join(folder, `${name}.ts`),
    `${HEADER}${used}${imports.join('\n')}\nexport async function page() {\n${body}\n}\n`,
  );
}
