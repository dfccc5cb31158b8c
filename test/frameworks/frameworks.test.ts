import { join } from 'node:path';
import knex, { type Knex } from 'knex';
import { HOSTS } from './hosts';
import { logOf, type StartedPanel, startPanel } from './startPanel';
import { json, ROWS, testsOfEveryHost } from './testsOfEveryHost';

const { ScratchDirectory } = require('../ScratchDirectory') as {
  ScratchDirectory: new (name: string) => { readonly path: string; remove(): Promise<void> };
};
const { folder } = require('./packages') as { readonly folder: string };

/** How long the slowest panel may take to start: Next builds itself first. */
const START_MS = 180_000;

describe.each(Object.entries(HOSTS))('In a panel of %s', (_name, { file, args = [], ...own }) => {
  let started: StartedPanel;
  const scratch = new ScratchDirectory('frameworks');

  beforeAll(async () => {
    const database = join(scratch.path, 'panel.sqlite');
    await fill(knex({ client: 'better-sqlite3', connection: database, useNullAsDefault: true }));
    started = await start(file, [database, ...args]);
  }, START_MS);

  afterAll(async () => {
    started.panel.kill();
    await scratch.remove();
  });

  testsOfEveryHost(() => started, own);
});

describe.each(['pages', 'app'])('In the %s of Next below its basePath', (form) => {
  const scratch = new ScratchDirectory('frameworks');
  let started: StartedPanel;

  beforeAll(async () => {
    const database = join(scratch.path, 'panel.sqlite');
    await fill(knex({ client: 'better-sqlite3', connection: database, useNullAsDefault: true }));
    started = await start('next', [database, form, '/hosting']);
  }, START_MS);

  afterAll(async () => {
    started.panel.kill();
    await scratch.remove();
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${started.url}/hosting${path}`, {
      headers: { Authorization: `Bearer ${started.token}`, ...headers },
    });

  test('the link to the next page of a list leads to it', async () => {
    const link = (await get('/api/v1/domains.php?limit=1')).headers.get('Link') ?? '';
    const [, next = ''] = /^<\/hosting(\/[^>]*)>; rel="next"$/.exec(link) ?? [];
    const { data } = await json(await get(next));
    expect(data.items).toEqual([expect.objectContaining({ id: 2 })]);
  });

  test('the section answers as a page, and leaves its other paths to Next', async () => {
    const admin = { Cookie: 'admin=Ada' };
    expect((await get('/admin/api/tokens', admin)).status).toBe(200);
    expect((await get('/admin/api/nothing', admin)).status).toBe(404);
  });
});

describe.each(['express', 'express4', 'fastify'])('The mount of Koa in %s', (name) => {
  const scratch = new ScratchDirectory('frameworks');
  let started: StartedPanel;

  beforeAll(async () => {
    started = await start('misused', [join(scratch.path, 'panel.sqlite'), name]);
  });

  afterAll(async () => {
    started.panel.kill();
    await scratch.remove();
  });

  test('is named in the log, once', async () => {
    for (const path of ['/own', '/api/v1/me.php', '/own'])
      expect((await fetch(started.url + path)).status).toBe(500);
    const messages = (await logOf(started)).map(({ message }) => String(message));
    expect(messages.filter((message) => message.includes('routes()'))).toEqual([
      'panel-api routes() is for Koa; here use handler()',
    ]);
  });
});

/** Starts a panel of the frameworks' folder. */
function start(file: string, args: readonly string[]): Promise<StartedPanel> {
  return startPanel(join(folder, `${file}.cjs`), args, { cwd: folder });
}

async function fill(db: Knex): Promise<void> {
  await db.schema.createTable('domains', (table) => {
    table.increments('id');
    table.string('domain');
    table.string('type');
    table.string('status');
    table.string('ssl_status');
  });
  await db.raw(
    `INSERT INTO domains (domain, type, status, ssl_status)
     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
     SELECT 'site' || i || '.example', 'primary', 'active', 'none' FROM n`,
  );
  await db.destroy();
}
