import { FILES, Page } from '../docs/Page';

export type File = readonly [name: string, text: string];

/** A panel that is made of the files of a page. */
export interface PageProject {
  readonly files: readonly File[];
  /** The path of its section. */
  readonly section: string;
  /** The folder of `panels` with the files that the page does not show. */
  readonly base?: string;
  /** The script that builds it, and the one that starts it, each with its arguments. */
  readonly build?: readonly string[];
  readonly start: readonly string[];
}

type Projects = Readonly<Record<string, PageProject>>;

/** The files of a page that the tests run. */
function filesOf(path: string): readonly File[] {
  return new Page(path).blocks
    .filter(({ notRun }) => notRun === undefined)
    .map(({ info, text }): File => [info.split(' ')[1] ?? '', text])
    .filter(([name]) => FILES.test(name));
}

const below = (files: readonly File[], ...folders: readonly string[]) =>
  files.filter(([name]) => folders.some((folder) => name.startsWith(folder)));
const programs = (files: readonly File[]) =>
  files.map(([name]) => name).filter((name) => !/\/|config|^panel-api/.test(name));
const named = (files: readonly File[], ...names: readonly string[]) =>
  files.filter(([name]) => names.includes(name));

/** What an adapter or a build reads of the panel's own package. */
const ES_MODULES: File = [
  'package.json',
  JSON.stringify({
    type: 'module',
    dependencies: {
      isbot: '*',
      'koa-panel-api': '*',
      koa: '*',
      knex: '*',
      'better-sqlite3': '*',
      winston: '*',
    },
  }),
];
const section = '/admin/api';
const bin = (path: string) => `node_modules/${path}`;
const NEXT = bin('next/dist/bin/next');
// Next's other bundler refuses node_modules behind a link.
const nextCommands = { build: [NEXT, 'build', '--webpack'], start: [NEXT, 'start', '-H', '127.0.0.1'] };

/** The panels of these pages, by the framework or the file. */
export function projectsOf(pages: {
  readonly handlers: string;
  readonly customers: string;
  readonly next: string;
  readonly requests: string;
}): Projects {
  const [handlers, customers] = [filesOf(pages.handlers), filesOf(pages.customers)];
  return {
    ...handlerProjects(handlers, customers),
    ...nextProjects(filesOf(pages.next)),
    ...requestProjects(filesOf(pages.requests)),
  };
}

const handlerProjects = (handlers: readonly File[], customers: readonly File[]): Projects => ({
  ...Object.fromEntries(
    programs(handlers).map((name) => [name, { files: handlers, section, start: [name] }]),
  ),
  'express.js of customers': {
    files: [...handlers, ...customers],
    section: '/my/api',
    start: ['express.js'],
  },
  'Nitro, the server of Nuxt': {
    files: [
      ...below(handlers, 'server/'),
      ES_MODULES,
      ['nitro.config.mjs', "export default { srcDir: 'server', compatibilityDate: '2026-11-01' };"],
    ],
    section,
    build: [bin('nitropack/dist/cli/index.mjs'), 'build'],
    start: ['.output/server/index.mjs'],
  },
});

const nextProjects = (next: readonly File[]): Projects => ({
  "Next's pages": {
    files: [...named(next, 'panel-api.js', 'next.config.js'), ...below(next, 'pages/')],
    section,
    ...nextCommands,
  },
  "Next's App Router": {
    files: [
      ...named(next, 'panel-api.js'),
      ...named(next, 'next.config.js').map(
        ([name, text]): File => [name, text.replace(/.*rewrites.*\n/, '')],
      ),
      ...below(next, 'app/'),
    ],
    section,
    ...nextCommands,
  },
});

const requestProjects = (requests: readonly File[]): Projects => ({
  SvelteKit: {
    files: [...named(requests, 'panel-api.js', 'vite.config.js'), ...below(requests, 'src/'), ES_MODULES],
    section,
    base: 'svelteKit',
    build: [bin('vite/bin/vite.js'), 'build'],
    start: ['build/index.js'],
  },
  'React Router': {
    files: [
      ...named(requests, 'panel-api.js').map(
        ([name, text]): File => [name, text.replaceAll('fetcher()', 'fetcher({ proxies: 1 })')],
      ),
      ...below(requests, 'app/'),
      ['app/home.jsx', "export default () => 'The panel';"],
      ES_MODULES,
    ],
    section,
    base: 'reactRouter',
    build: [bin('@react-router/dev/bin.cjs'), 'build'],
    start: [bin('@react-router/serve/bin.cjs'), 'build/server/index.js'],
  },
  ...Object.fromEntries(
    programs(requests).map((name) => [
      name,
      {
        files: [
          ...named(requests, 'panel-api.js', name).map(
            ([file, text]): File => [file, text.replace("'h3'", "'h3v2'")],
          ),
          ES_MODULES,
        ],
        section,
        start: [name],
      },
    ]),
  ),
});
