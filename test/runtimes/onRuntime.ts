import { join } from 'node:path';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { type Engine, freshDatabase } from '../fixture/databases';
import { createFilledTables } from '../fixture/panelTables';
import { openForm, sendForm } from '../frameworks/sectionForms';
import { type StartedPanel, startPanel } from '../frameworks/startPanel';
import { ROWS } from '../frameworks/testsOfEveryHost';
import { runCommand } from '../runCommand';
import { folder, runtimes } from './packages';

export type Runtime = keyof typeof runtimes;

/** What serves a panel, each by its name, its runtime, its file, and the flags of the runtime. */
export const HOSTS: readonly (readonly [
  name: string,
  runtime: Runtime,
  file: string,
  flags: readonly string[],
])[] = [
  ['http on Bun', 'bun', 'http.cjs', []],
  ['http on Deno', 'deno', 'http.cjs', []],
  ['Bun.serve', 'bun', 'bun.cjs', []],
  ['Deno.serve', 'deno', 'deno.cjs', []],
  ['Deno.serve with another abort', 'deno', 'deno.cjs', ['--unstable-no-legacy-abort']],
  ['Hono on Bun', 'bun', 'hono.cjs', []],
  ['Hono on Deno', 'deno', 'hono.cjs', []],
  ['Elysia', 'bun', 'elysia.cjs', []],
];

/** The engines of which both runtimes have a driver. */
export const ENGINES = ['mariadb', 'postgresql', 'sqlite'] as const;

/** Creates a database of a panel with one row in each table, and many domains. Returns its URL. */
export async function filledDatabase(engine: Engine): Promise<string> {
  const { knex, url } = await freshDatabase(engine);
  await createFilledTables(knex);
  const more = Array.from({ length: ROWS - 1 }, (_, index) => ({
    domain: `site${index}.example`,
    type: 'primary',
    status: 'active',
    ssl_status: 'none',
  }));
  await knex.batchInsert('domains', more, 400);
  return url;
}

/** How a runtime runs a script that opens the database of this URL. */
function commandOf(runtime: Runtime, url: string) {
  const { program, args, allRights } = runtimes[runtime];
  // The files of SQLite may be below `/dev`, where Deno opens nothing without all rights.
  return { program, args: url.startsWith('sqlite:') ? allRights : args };
}

/** Starts a panel of `test/runtimes/panels`. It ends with the test or, if a `beforeAll` starts it, with the file. */
export async function startOn(
  runtime: Runtime,
  panel: string,
  url: string,
  flags: readonly string[] = [],
): Promise<StartedPanel> {
  const { program, args } = commandOf(runtime, url);
  const options = { cwd: folder, execPath: program, execArgv: [...args, ...flags] };
  const started = await startPanel(join(folder, panel), [url], options);
  closeAtEnd(() => started.panel.kill());
  return started;
}

/** The file of the command, beside its packages. */
export const COMMAND = join(folder, 'node_modules', 'koa-panel-api', 'dist', 'bin', 'panel-api.js');

/** Runs the command, with its packages, and returns what it prints. */
export function panelApi(runtime: Runtime, url: string, ...words: readonly string[]): Promise<string> {
  const { program, args } = commandOf(runtime, url);
  return runCommand(program, [...args, COMMAND, ...words], {
    cwd: folder,
    env: { PANEL_API_DATABASE_URL: url },
  });
}

/** Opens a page of the section, and sends its form, with these fields beside those that it shows. */
export async function sendPage(
  { url }: Pick<StartedPanel, 'url'>,
  path: string,
  ...fields: [name: string, value: string][]
): Promise<number> {
  const form = await openForm(url, path);
  form.fields.push(...fields);
  return (await sendForm(url, form)).status;
}

/** Switches the API on, which is off at first. */
export async function switchOn(panel: StartedPanel): Promise<void> {
  expect(await sendPage(panel, '/admin/api')).toBe(303);
}
