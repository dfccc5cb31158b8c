import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createPanelApi } from '../../index';
import { FILES, Page } from '../docs/Page';
import { freshDatabase, type TestDatabase } from '../fixture/databases';
import { recordingLogger } from '../fixture/recordingLogger';

const { folder } = require('./packages') as { readonly folder: string };

const page = new Page('docs/how-to/other-data-layers.md');
const files = new Map(
  page.blocks.flatMap(({ info, text }) => {
    const name = info.split(' ')[1] ?? '';
    return FILES.test(name) ? [[name, text] as const] : [];
  }),
);
const work = join(folder, 'layers');
const panel = createRequire(join(folder, 'package.json'));

/** The tables of a model, as the page says that the data layers call them. Drizzle's is the name in its example. */
const TABLES = [
  ['Prisma', 'Customer'],
  ['Drizzle', 'customers'],
  ['TypeORM', 'customer'],
  ['Sequelize', 'Customers'],
] as const;
const ACCOUNTS = [
  { id: 1, username: 'anna', status: 'active' },
  { id: 2, username: 'bert', status: 'suspended' },
];

describe('A panel without knex', () => {
  let database: TestDatabase;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    database = await freshDatabase('mariadb');
    mkdirSync(work, { recursive: true });
    for (const [name, text] of files) writeFileSync(join(work, name), text);
    for (const [, name] of TABLES) {
      await database.knex.schema.dropTableIfExists(name);
      await database.knex.schema.createTable(name, (table) => {
        table.integer('id').primary();
        table.string('login', 64);
        table.boolean('isActive');
      });
      await database.knex(name).insert([
        { id: 1, login: 'anna', isActive: true },
        { id: 2, login: 'bert', isActive: false },
      ]);
    }
  }, 120_000);

  afterAll(() => {
    for (const child of children) child.kill();
    rmSync(work, { recursive: true });
  });

  /** Starts a panel with the file of the API, and reads its accounts. */
  async function start(file: string, execArgv: readonly string[] = []) {
    const child = fork(join(folder, 'layer.cjs'), [file], {
      cwd: work,
      execArgv: [...execArgv],
      env: { ...process.env, DATABASE_URL: database.url },
    });
    children.push(child);
    const started = await Promise.race([once(child, 'message'), once(child, 'exit')]);
    const [{ url, token }] = started as [{ url: string; token: string }];
    const read = async (query = '') => {
      const response = await fetch(`${url}/api/v1/accounts.php${query}`, {
        headers: { Authorization: `Bearer ${token}`, Connection: 'close' },
      });
      const { data, error } = (await response.json()) as Answer;
      return data?.items ?? error;
    };
    return { child, read };
  }

  test.each(TABLES)('over %s maps the table %s through a second handle', async (layer, table) => {
    if (layer !== 'Drizzle') expect(page.text).toContain(`| ${layer} | \`${table}\``);
    writeFileSync(join(work, 'sources.js'), (files.get('sources.js') ?? '').replace('Customer', table));
    const { child, read } = await start('panel-api.js');
    expect(await read()).toEqual(ACCOUNTS);
    expect(await read('?status=suspended')).toEqual(ACCOUNTS.slice(1));
    child.send('close');
    // Nothing of the module's keeps the process alive.
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test.each([
    ['Prisma', 'prisma.js'],
    ['Drizzle', 'drizzle.js'],
    ['TypeORM', 'typeorm.js'],
    ['Sequelize', 'sequelize.js'],
  ])('reads a list through a function over %s', async (_layer, file) => {
    if (file === 'prisma.js') generatePrisma();
    writeFileSync(join(work, 'sources.js'), `module.exports = require('./${file}');\n`);
    const { read } = await start('panel-api.js');
    expect(await read()).toEqual(ACCOUNTS);
    expect(await read('?limit=1')).toEqual(ACCOUNTS.slice(0, 1));
    expect(await read('?status=suspended&limit=1')).toEqual(ACCOUNTS.slice(1));
  });

  test('keeps the tables of the module when TypeORM and Sequelize synchronize theirs', async () => {
    const before = await moduleTables();
    const typeorm = new (panel('typeorm').DataSource)({
      type: 'mysql',
      url: database.url,
      synchronize: true,
    });
    await (await typeorm.initialize()).destroy();
    const sequelize = new (panel('sequelize').Sequelize)(database.url, { logging: false });
    await sequelize.sync({ alter: true, force: true });
    await sequelize.close();
    expect(before.length).toBeGreaterThan(2);
    expect(await moduleTables()).toEqual(before);
  });

  const moduleTables = async (): Promise<readonly string[]> =>
    database
      .knex('information_schema.tables')
      .where('table_name', 'like', 'panel_api_%')
      .where('table_schema', database.knex.raw('database()'))
      .orderBy('table_name')
      .pluck('table_name');

  test('reads a list of MongoDB beside an own file of SQLite', async () => {
    // There is no server: the driver's collection is replaced, and Mongoose is not.
    writeFileSync(join(work, 'server.cjs'), MONGODB);
    const { read } = await start('mongoose.js', ['--require', './server.cjs']);
    const [anna, bert] = ACCOUNTS;
    expect(await read()).toEqual([
      { ...anna, id: '65f000000000000000000001' },
      { ...bert, id: '65f000000000000000000002' },
    ]);
    expect(existsSync(join(work, 'panel-api.sqlite'))).toBe(true);
  });

  test('that passes its data layer as db is told what it passed', () => {
    const { DataSource } = panel('typeorm');
    const { Sequelize } = panel('sequelize');
    generatePrisma();
    const { PrismaClient } = panel('@prisma/client');
    const { PrismaMariaDb } = panel('@prisma/adapter-mariadb');
    const passed = {
      'a Prisma client': new PrismaClient({ adapter: new PrismaMariaDb(database.url) }),
      'a Drizzle database': panel('drizzle-orm/mysql2').drizzle(database.url),
      'a TypeORM data source': new DataSource({ type: 'mysql', url: database.url }),
      'a Sequelize instance': new Sequelize(database.url),
      'a Mongoose connection': panel('mongoose').connection,
      'a database of better-sqlite3': new (panel('better-sqlite3'))(':memory:'),
    };
    const { logger } = recordingLogger();
    for (const [what, db] of Object.entries(passed))
      expect(() => createPanelApi({ db, logger })).toThrow(
        `must be a knex handle, not ${what}; for other data layers see ${page.path}`,
      );
  });
});

interface Answer {
  readonly data?: { readonly items: readonly object[] };
  readonly error?: object;
}

/** Prisma downloads a program for migrations before it generates a client, which does not need it. */
function generatePrisma(): void {
  const command = join(folder, 'node_modules', 'prisma', 'build', 'index.js');
  execFileSync(process.execPath, [command, 'generate', '--schema', 'schema.prisma'], {
    cwd: work,
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true' },
  });
}

const MONGODB = `
const Collection = require('mongoose/lib/drivers/node-mongodb-native/collection');
const { ObjectId } = require('mongoose').Types;
Collection.prototype.find = () => ({
  toArray: async () => [
    { _id: new ObjectId('65f000000000000000000001'), login: 'anna', isActive: true },
    { _id: new ObjectId('65f000000000000000000002'), login: 'bert', isActive: false },
  ],
});
`;
