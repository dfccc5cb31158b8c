import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { allPages, Page, ROOT, shippedPages } from './Page';

const pages = allPages();
const shipped = new Set(shippedPages().map(({ path }) => path));

/** The files of the repository, besides the shipped pages, that the published package contains. */
const SHIPPED_FILES = /^(LICENSE|README\.md|docs\/.+)$/;

/** A link of a page that leads nowhere, with the reason. */
function brokenLinks(page: Page): string[] {
  return linksOf(page).flatMap((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page.path : normalize(join(dirname(page.path), path));
    const broken = (reason: string) => [`${page.path}: ${link} ${reason}`];
    if (!existsSync(join(ROOT, target))) return broken('leads to no file');
    if (shipped.has(page.path) && !shipped.has(target) && !SHIPPED_FILES.test(target))
      return broken('leads out of the published package');
    if (anchor === undefined) return [];
    if (statSync(join(ROOT, target)).isDirectory() || !new Page(target).anchors.includes(anchor))
      return broken('names no heading');
    return [];
  });
}

function linksOf({ prose }: Page): string[] {
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^(https?|mailto):/.test(link));
}

test.each(pages.map((page) => [page.path, page] as const))(
  'every link of %s leads to a heading or a file',
  (_path, page) => {
    expect(brokenLinks(page)).toEqual([]);
  },
);

test('a link to a missing file, a missing heading and a file that is not published is found', () => {
  const page = Object.assign(Object.create(Page.prototype) as Page, {
    path: 'UPGRADING.md',
    text: '[a](docs/none.md) [b](#none) [c](lib/Installation.ts)',
  });
  expect(brokenLinks(page)).toEqual([
    'UPGRADING.md: docs/none.md leads to no file',
    'UPGRADING.md: #none names no heading',
    'UPGRADING.md: lib/Installation.ts leads out of the published package',
  ]);
});

test('the index of the documentation leads to every page', () => {
  const index = new Page('docs/README.md');
  const linked = new Set(linksOf(index).map((link) => normalize(join('docs', link.split('#')[0] ?? ''))));
  const others = [...shipped].filter((path) => path.startsWith('docs/') && path !== index.path);
  expect(others.filter((path) => !linked.has(path))).toEqual([]);
});

test.each(pages.map((page) => [page.path, page] as const))(
  '%s names only paths that exist',
  (_path, { text }) => {
    const rooms = /(?<![\w/.-])(?:lib|middleware|routes|section|bin|scripts|test|demo|bench)\/[\w./-]*\w/g;
    const named = [...text.matchAll(rooms)].map(([path]) => path);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  },
);

test.each(pages.map((page) => [page.path, page] as const))(
  '%s names only npm scripts that exist',
  (path, { text }) => {
    const folder = path.startsWith('demo/') ? 'demo' : '.';
    const { scripts } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
    const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => String(name));
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  },
);
