import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allPages, type Block, FILES, type Page, ROOT, SHELL, shippedPages } from './Page';

const FRAGMENT = /^(js|ts)$/;
const OUTPUT = /^(text|json)$/;
const RUN_BY_OWN_TEST = /^((sql|sh) (mariadb|mysql|postgres|sqlite|any)|nginx)$/;

const shipped = new Set(shippedPages().map(({ path }) => path));

/** What the tests say that read one page by its path. */
const ownTests = ['test/docs', 'test/demo', 'test/frameworks']
  .flatMap((folder) => readdirSync(join(ROOT, folder)).map((file) => join(ROOT, folder, file)))
  .filter((file) => file.endsWith('.test.ts') && file !== __filename)
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

/** The blocks of a page that no test runs, although it gives no reason. */
function silentBlocks({ path, blocks }: Pick<Page, 'path' | 'blocks'>): string[] {
  const hasOwnTest = ownTests.includes(`'${path}'`);
  const isShipped = shipped.has(path);
  const firstShell = blocks.find(({ info, notRun }) => SHELL.test(info) && notRun === undefined);
  const isRun = ({ info, line }: Block): boolean => {
    if (SHELL.test(info) || FRAGMENT.test(info)) return isShipped;
    if (OUTPUT.test(info))
      return hasOwnTest || (isShipped && firstShell !== undefined && firstShell.line < line);
    if (RUN_BY_OWN_TEST.test(info)) return hasOwnTest;
    return FILES.test(info.split(' ')[1] ?? '') && (hasOwnTest || (isShipped && firstShell !== undefined));
  };
  return blocks
    .filter((block) => block.notRun === undefined && !isRun(block))
    .map(({ line, info }) => `${path}:${line} ${info}`);
}

test('every block is run by the tests, or says why it is not', () => {
  expect(allPages().flatMap(silentBlocks)).toEqual([]);
});

test('a block that no test runs is found', () => {
  const blocks = ['yaml', 'json', 'sql mariadb', 'js panel.js', 'js', 'sh', 'text'].map((info, index) => ({
    info,
    language: info,
    text: '',
    line: index + 1,
  }));
  expect(silentBlocks({ path: 'docs/reference/options.md', blocks })).toEqual([
    'docs/reference/options.md:1 yaml',
    'docs/reference/options.md:2 json',
    'docs/reference/options.md:3 sql mariadb',
  ]);
  expect(silentBlocks({ path: 'bench/README.md', blocks })).toHaveLength(blocks.length);
});

test('a reason not to run a block is a sentence', () => {
  const reasons = allPages().flatMap(({ path, blocks }) =>
    blocks.flatMap(({ notRun, line }) =>
      notRun === undefined ? [] : [{ place: `${path}:${line}`, notRun }],
    ),
  );
  expect(reasons.length).toBeGreaterThan(5);
  expect(reasons.filter(({ notRun }) => notRun.split(' ').length < 3)).toEqual([]);
});
