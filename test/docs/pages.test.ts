import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { requireSqlite } from '../fixture/databases';
import { builtCommand } from '../servers/builtCommand';
import { freePort } from '../servers/freePort';
import { runDirectory } from '../servers/serverUrl';
import { startExamplePanel } from './examplePanel';
import { type Block, type Page, ROOT, shippedPages } from './Page';
import { type Place, type Run, runPage } from './runPage';
import { jsonDifference, textDifference } from './shape';

const pages = shippedPages().filter(({ blocks }) =>
  blocks.some(({ info, notRun }) => info.startsWith('sh') && notRun === undefined),
);

test.each(pages.map((page) => [page.path, page] as const))(
  'the commands of %s print what it shows',
  async (_path, page) => {
    const runs = await runPage(page, await (page.isTutorial ? emptyPlace() : panelPlace()));
    expect(runs.length).toBeGreaterThan(0);
    expect(differences(page, runs)).toEqual([]);
  },
  150_000,
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

/** An empty directory, in which npm installs the packed module. */
async function emptyPlace(): Promise<Place> {
  requireSqlite();
  const directory = newDirectory();
  const port = String(await freePort());
  const tarball = packed();
  return {
    directory,
    env: NPM,
    translate: (text) =>
      text
        .replace(/^(npm install .*?)\bkoa-panel-api\b/gm, `$1${tarball}`)
        // The tests have compiled it already.
        .replace(/^(npm install .*?)\bbetter-sqlite3\b/gm, `$1${join(ROOT, 'node_modules/better-sqlite3')}`)
        .replace(/\b3000\b/g, port),
  };
}

/** A directory beside a running panel, with the packages of the repository. */
async function panelPlace(): Promise<Place> {
  const directory = newDirectory();
  linkPackages(join(directory, 'node_modules'));
  const { url, file, token, config } = await startExamplePanel();
  writeFileSync(join(directory, 'panel.config.js'), config);
  return {
    directory,
    env: { ...NPM, TOKEN: token, PANEL_API_DATABASE_URL: `sqlite:${file}` },
    translate: (text) =>
      text
        .replace(/https:\/\/panel\.example|http:\/\/127\.0\.0\.1:3000/g, url)
        .replace(/^(npm pack .*)\bkoa-panel-api$/gm, `$1${ROOT}`)
        // npx takes longer than the command. The tutorials run it.
        .replaceAll('npx --no -- panel-api', 'node_modules/.bin/panel-api'),
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

let tarball: string | undefined;

/** The module as it would be published, packed once for this file. */
function packed(): string {
  if (tarball === undefined) {
    builtCommand();
    const folder = mkdtempSync(join(runDirectory(), 'packed-'));
    const { status, stderr } = spawnSync(
      'npm',
      ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder],
      {
        cwd: ROOT,
        encoding: 'utf8',
      },
    );
    if (status !== 0) throw new Error(stderr);
    tarball = join(folder, readdirSync(folder)[0] ?? '');
  }
  return tarball;
}
