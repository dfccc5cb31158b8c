import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { requireSqlite } from '../fixture/databases';
import { builtCommand } from '../servers/builtCommand';
import { freePort } from '../servers/freePort';
import { runDirectory } from '../servers/serverUrl';
import { startExamplePanel } from './examplePanel';
import { type Block, type Page, ROOT, SHELL, shippedPages } from './Page';
import { type Place, type Run, runPage } from './runPage';
import { jsonDifference, textDifference } from './shape';

const pages = shippedPages().filter(({ blocks }) =>
  blocks.some(({ info, notRun }) => SHELL.test(info) && notRun === undefined),
);

test.each(pages.map((page) => [page.path, page] as const))(
  'the commands of %s print what it shows',
  async (_path, page) => {
    const runs = await runPage(page, await (page.isTutorial ? emptyPlace() : panelPlace()));
    expect(runs.length).toBeGreaterThan(0);
    expect(differences(page, runs)).toEqual([]);
  },
  430_000,
);

/** Compares what the commands printed with the blocks of output that follow them. */
function differences(page: Page, runs: readonly Run[]): string[] {
  const found: string[] = [];
  let output: string | undefined;
  for (const block of page.blocks) {
    if (block.notRun !== undefined) continue;
    const run = runs.find((one) => one.block === block);
    if (run) output = run.output;
    const difference = run ? null : differenceOf(block, output);
    if (difference) found.push(`${page.path}:${block.line}: ${difference}`);
  }
  return found;
}

function differenceOf({ language, text }: Block, output: string | undefined): string | null {
  if (language !== 'text' && language !== 'json') return null;
  if (output === undefined) return 'No command stands before this output.';
  if (language === 'text') return textDifference(text, output);
  const difference = jsonDifference(JSON.parse(text), JSON.parse(output));
  return difference && `${difference}\nPrinted:\n${output}`;
}

/** Only npm's errors are part of what a command prints. */
const NPM = {
  npm_config_prefer_offline: 'true',
  npm_config_ignore_scripts: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_loglevel: 'error',
};

/** npx takes longer than the command. The first command of each tutorial runs it. */
const NPX = 'npx --no -- panel-api';
const DIRECTLY = 'node_modules/.bin/panel-api';

/** An empty directory, in which the module is installed as a page says. */
async function emptyPlace(): Promise<Place> {
  requireSqlite();
  const port = String(await freePort());
  let isFirst = true;
  return {
    directory: newDirectory(),
    env: NPM,
    translate: (text) =>
      text
        .replace(/^npm install (.*)$/gm, (_line, names: string) => `cp -alf '${installed(names)}/.' .`)
        .replace(/\b3000\b/g, port)
        .replaceAll(NPX, () => {
          const command = isFirst ? NPX : DIRECTLY;
          isFirst = false;
          return command;
        }),
  };
}

/** A directory beside a running panel, with the packages of the repository. */
async function panelPlace(): Promise<Place> {
  const directory = newDirectory();
  linkPackages(join(directory, 'node_modules'));
  const { url, token, config } = await startExamplePanel();
  writeFileSync(join(directory, 'panel-api.config.js'), config);
  return {
    directory,
    // The commands find the database by the file of the options, as after the page on mapping tables.
    env: { ...NPM, TOKEN: token },
    translate: (text) =>
      text
        .replace(/https:\/\/panel\.example|http:\/\/127\.0\.0\.1:3000/g, url)
        .replace(/^(npm pack .*)\bkoa-panel-api$/gm, `$1${ROOT}`)
        .replaceAll(NPX, DIRECTLY),
  };
}

function newDirectory(): string {
  const directory = mkdtempSync(join(runDirectory(), 'page-'));
  closeAtEnd(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function linkPackages(folder: string): void {
  mkdirSync(join(folder, '.bin'), { recursive: true });
  symlinkSync(ROOT, join(folder, 'koa-panel-api'));
  const command = `#!/bin/sh\nexec node '${builtCommand()}' "$@"\n`;
  writeFileSync(join(folder, '.bin', 'panel-api'), command, { mode: 0o755 });
  for (const name of ['better-sqlite3', 'ioredis', 'knex', 'koa', 'mysql2', 'pg', 'redis', 'winston'])
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, name));
}

const installations = new Map<string, string>();

/** The directory in which npm has installed these packages, once for all pages that install the same. */
function installed(names: string): string {
  const known = installations.get(names);
  if (known) return known;
  const directory = mkdtempSync(join(runDirectory(), 'installed-'));
  builtCommand();
  const tarball = npm('pack', '--silent', '--pack-destination', directory).trim();
  const packages = names
    .split(' ')
    .map((name) => (name === 'koa-panel-api' ? join(directory, tarball) : name))
    // The tests have compiled it already.
    .map((name) => (name === 'better-sqlite3' ? join(ROOT, 'node_modules', name) : name));
  npm('install', '--prefix', directory, ...packages);
  installations.set(names, directory);
  return directory;
}

function npm(...args: string[]): string {
  const options = { cwd: ROOT, encoding: 'utf8', env: { ...process.env, ...NPM } } as const;
  const { status, stdout, stderr } = spawnSync('nice', ['-n', '4', 'npm', ...args], options);
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
