import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { PanelApiOptions } from '../../index';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { type Engine, freshDatabase, isMysql } from '../fixture/databases';
import { startPanel } from '../fixture/panel';
import { type Block, FILES, Page, ROOT, TSC } from './Page';

/** The pages that map tables by example, and the database of their tables. */
const PAGES: readonly (readonly [string, Engine])[] = [
  ['docs/how-to/map-tables.md', 'mariadb'],
  ['docs/how-to/map-with-sql.md', 'mariadb'],
  ['docs/how-to/map-with-sql.md', 'postgresql'],
  ['docs/how-to/map-with-functions.md', 'mariadb'],
];

const DIALECTS = { mariadb: 'mariadb', postgresql: 'postgres', sqlite: 'sqlite' } as const;

/** Each page, with the blocks that are for its database: the last word of a block may name one. */
const pages = PAGES.map(([path, engine]) => {
  const others = Object.values(DIALECTS).filter((dialect) => dialect !== DIALECTS[engine]);
  const blocks = new Page(path).blocks.filter(
    ({ info }) => !others.some((other) => info.endsWith(` ${other}`)),
  );
  return { path, engine, blocks: isMysql ? blocks.map(forMysql) : blocks };
});

/** The page says what to leave out on MySQL. */
function forMysql({ text, ...block }: Block): Block {
  return { ...block, text: text.replace('(t.target ORDER BY t.target)', '(t.target)') };
}

test.each(pages)(
  'the sources of $path return the data that it shows on $engine',
  async ({ blocks, engine }) => {
    const database = await freshDatabase(engine);
    for (const { info, text } of blocks) {
      if (info.startsWith('sql '))
        for (const statement of statementsOf(text)) await database.knex.raw(statement);
    }
    const folder = scratchFolder();
    writeFiles(folder, blocks);
    writeBackup(folder);
    // The application's own module, which the page does not show.
    writeFileSync(join(folder, 'database.js'), '');
    jest.doMock(join(folder, 'database.js'), () => ({ db: database.knex }));
    const { db, sources }: Pick<PanelApiOptions, 'db' | 'sources'> = require(
      join(folder, 'panel-api.config.js'),
    );
    const panel = await startPanel({ db, ...(sources && { sources }) });
    const token = await panel.token();

    const shown = blocks.filter(({ info }) => info === 'json').map(({ text }) => JSON.parse(text));
    const lists = shown.map(({ resource }) => resource);
    const answered = [];
    for (const list of lists) answered.push((await panel.get(`/api/v1/${list}.php`, token)).body.data);
    expect(answered).toEqual(shown);
    expect(lists).toEqual(expect.arrayContaining(mapped(blocks)));
    const { body } = await panel.get('/api/v1/release-audit.php', token);
    const checks: { id: string; detail: string | null }[] = body.data.checks;
    const found = checks
      .filter(({ id }) => lists.includes(id.replace('source_', '')))
      .map(({ detail }) => detail);
    // The page has two such logins, so that its joins must tell them apart.
    expect(
      found.filter((detail) => detail && !/username .* is the name of another row/.test(detail)),
    ).toEqual([]);
  },
);

test('the types of PostgreSQL are read as the page says', async () => {
  const rows = tableRows('docs/reference/sources.md', 'type').map(([type = '', ...cells]) => {
    const [stored = '', field = '', shown = ''] = cells.map((cell) => cell.slice(1, -1));
    return {
      type: /`([^`]+)`/.exec(type)?.[1] ?? 'state',
      stored,
      field: field.replace('websites.', ''),
      shown,
    };
  });
  expect(rows.length).toBeGreaterThan(10);
  const { knex } = await freshDatabase('postgresql');
  await knex.raw("CREATE TYPE state AS ENUM ('on', 'off')");
  // A part of the list for each row of the page.
  for (const [index, { type, stored }] of rows.entries()) {
    await knex.raw(`CREATE TABLE typed_${index} (id int, v ${type})`);
    await knex.raw(`INSERT INTO typed_${index} VALUES (1, ${stored})`);
  }
  for (const half of [rows.slice(0, 6), rows.slice(6)]) {
    const websites = half.map((row) => ({
      table: `typed_${rows.indexOf(row)}`,
      fields: { domain: { value: 'a.example' }, status: { value: 'active' }, [row.field]: 'v' } as const,
    }));
    const { get, token } = await startPanel({ db: knex, sources: { websites } });
    const { text } = await get('/api/v1/websites.php', await token());
    const items = text.match(/\{"id":[^}]*\}/g) ?? [];
    expect(items).toEqual(half.map(({ field, shown }) => expect.stringContaining(`"${field}":${shown}`)));
  }
});

test('the findings in the page about them are sentences of the module', () => {
  const sources = ['lib', 'routes'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(ROOT, folder, file), 'utf8').replace(/\\?`/g, '`')),
  );
  const findings = ['the fault', 'the finding'].flatMap((heading) =>
    tableRows('docs/how-to/check-sources.md', heading).map(([finding = '']) => finding),
  );
  const parts = findings.flatMap((finding) => finding.split('…').map((part) => part.trim()));
  expect(parts.filter((part) => !sources.some((source) => source.includes(part)))).toEqual([]);
  expect(findings.length).toBeGreaterThan(15);
});

test('the sources of these pages compile strictly', () => {
  // Within the repository, so that the packages are found.
  const folder = mkdtempSync(join(ROOT, 'test', 'types', 'sources-'));
  try {
    for (const { path, engine, blocks } of pages) {
      const files = blocks.filter(({ info }) => info.startsWith('js sources/'));
      writeFiles(join(folder, `${path.replace(/\W/g, '-')}-${engine}`), files);
    }
    const compilerOptions = {
      allowJs: true,
      checkJs: true,
      rootDir: '../../..',
      paths: { 'koa-panel-api': ['../../../dist/index.d.ts'] },
    };
    const options = { extends: '../../../tsconfig.test.json', compilerOptions, include: ['**/*.js'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
    expect(spawnSync(TSC, ['-p', folder], { encoding: 'utf8' }).stdout).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** The cells of the table of a page that has this first column. */
function tableRows(path: string, column: string): string[][] {
  const [, table = ''] = new Page(path).text.split(new RegExp(`^\\| ${column} \\|.*\\n.*\\n`, 'm'));
  return table
    .slice(0, table.indexOf('\n\n'))
    .split('\n')
    .map((line) => line.slice(2, -2).split(' | '));
}

/** The lists for which a page has a file of its own. */
function mapped(blocks: readonly Block[]): string[] {
  return blocks.flatMap(({ info }) => /^js sources\/(\w+)\.js\b/.exec(info)?.[1] ?? []);
}

/** Drivers take one statement at a time. */
function statementsOf(sql: string): string[] {
  return sql.split(/;\n/).filter((statement) => statement.trim() !== '');
}

function scratchFolder(): string {
  const folder = mkdtempSync(join(ROOT, 'test', 'types', 'mapping-'));
  closeAtEnd(() => rmSync(folder, { recursive: true }));
  return folder;
}

function writeFiles(folder: string, blocks: readonly Block[]): void {
  for (const { info, text } of blocks) {
    const name = info.split(' ')[1] ?? '';
    if (!FILES.test(name)) continue;
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** The backup that a page's function finds. */
function writeBackup(folder: string): void {
  const file = join(folder, 'backups', 'shop.tar.gz');
  mkdirSync(dirname(file));
  writeFileSync(file, Buffer.alloc(2048));
  const time = new Date('2026-06-12T00:00:00Z');
  utimesSync(file, time, time);
}
