import { createHash } from 'node:crypto';
import { knex as connect, type Knex } from 'knex';
import { operations } from '../../routes';
import { readAnswer } from '../fixture/answer';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../fixture/databases';
import { HANDLES, settingsOf } from '../fixture/handles';
import { startPanel } from '../fixture/panel';
import { createFilledTables, SHOWN_SETTINGS } from '../fixture/panelTables';
import { isWhole } from '../prove/scale';

interface TypeParsers {
  getTypeParser(type: number): (text: string) => unknown;
  setTypeParser(type: number, parse: (text: string) => unknown): void;
}

// The driver has no types of its own.
const { types }: { types: TypeParsers } = require('pg');

const HEALTH = 'health.php';

/** What differs little from one to another. */
const SHARED = [
  ...operations.flatMap(({ name, kind }) =>
    kind === 'list' && !['services', 'databases'].includes(name) ? [`${name}.php`] : [],
  ),
  'openapi.php',
  HEALTH,
];

/** The list of databases has all kinds of columns. */
const ALWAYS = [
  'databases.php',
  'databases.php?limit=1',
  'settings.php?limit=1',
  'databases.php?account_id=90071992547409931',
  'databases.php?updated_since=2026-06-12',
  'websites.php?status=active&account_id=1',
  'accounts.php?two_factor_enabled=true',
];

const SHARES = 3;

/** What is asked for over the handle with this number: a share of what differs little, and in a whole proof all. */
const pathsOver = (handle: number) => [
  ...SHARED.filter((_, index) => isWhole || index % SHARES === handle % SHARES),
  ...ALWAYS,
];

type Answered = readonly (readonly [path: string, answer: unknown])[];

describeEachEngine('The answers are the same to the byte over a handle', (engine) => {
  let database: TestDatabase;
  let expected: Answered;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    await createFilledTables(database.knex);
    await database.knex.schema.createTable('odd_boxes', (table) => {
      // SQLite keeps no digits of a decimal that a float lacks.
      table.specificType('number', engine === 'sqlite' ? 'integer' : 'decimal(20, 0)').primary();
      table.bigInteger('bytes');
      table.timestamp('changed_at');
      table.date('expires_on');
      table.boolean('is_on');
      table.double('share');
      table.json('names');
    });
    await database.knex('odd_boxes').insert(
      ['90071992547409931', '90071992547409932'].map((number) => ({
        number,
        bytes: number,
        changed_at: '2026-06-12 23:30:00',
        expires_on: '2026-06-12',
        is_on: true,
        share: 0.1,
        names: '["a","b"]',
      })),
    );
    expected = await answers(database.knex, [...SHARED, ...ALWAYS], true);
    expect(JSON.stringify(expected)).toContain('90071992547409932');
    expect(JSON.stringify(expected)).toContain('2026-06-12T23:30:00+00:00');
  });

  /** They are compared with the OpenAPI document of their panel if they are what the others must be. */
  const answers = async (db: Knex, paths: readonly string[], isChecked = isWhole): Promise<Answered> => {
    const panel = await startPanel({
      db,
      rateLimit: { requests: 100_000 },
      sources: {
        settings: { keys: SHOWN_SETTINGS },
        // A panel's queries use the names of its own handle.
        websites: {
          query: (knex) => knex('websites as w').leftJoin('accounts as a', 'a.id', 'w.account_id'),
          fields: { id: 'w.id', domain: 'w.domain', account_id: 'w.account_id', status: 'w.status' },
        },
        databases: {
          table: 'odd_boxes',
          fields: {
            id: 'number',
            account_id: 'number',
            name: 'share',
            engine: { value: 'mariadb' },
            users: 'names',
            size_bytes: 'bytes',
            created_at: 'expires_on',
            updated_at: 'changed_at',
            remote_access: 'is_on',
          },
        },
      },
    });
    try {
      const token = await panel.token();
      const headers = { Authorization: `Bearer ${token}` };
      const get = async (path: string) =>
        isChecked ? panel.get(path, token) : readAnswer(await fetch(panel.url + path, { headers }));
      const data: [string, unknown][] = [];
      for (const path of paths) {
        const { status, text: answer, body } = await get(`/api/v1/${path}`);
        expect([path, status]).toEqual([path, 200]);
        if (path === HEALTH) {
          const { checks } = body.data;
          data.push([path, checks.map(({ name, status }: Record<string, unknown>) => [name, status])]);
          continue;
        }
        const text = answer.replace(/"(?:next_run_at|timestamp)":"[^"]*"/g, '');
        // A difference between two documents is too long to print.
        data.push([path, path === 'openapi.php' ? digest(text) : text]);
      }
      return data;
    } finally {
      await panel.close();
    }
  };

  const expectSame = async (db: Knex, handle: number) => {
    const paths = pathsOver(handle);
    expect(await answers(db, paths)).toEqual(expected.filter(([path]) => paths.includes(path)));
  };

  const handles = Object.entries(HANDLES[engine]).map(
    ([name, handle], index) => [name, handle, index] as const,
  );

  test.each(handles)('with %s', async (_name, handle, index) => {
    const knex = connect(settingsOf(database, handle));
    try {
      await expectSame(knex, index);
    } finally {
      await knex.destroy();
    }
  });

  if (engine === 'postgresql') {
    test('while pg has parsers for the whole process', async () => {
      const TYPES = [16, 17, 20, 21, 23, 25, 114, 701, 1043, 1082, 1114, 1184, 1700];
      const before = TYPES.map((type) => types.getTypeParser(type));
      for (const type of TYPES) types.setTypeParser(type, (text) => ({ text }));
      try {
        await expectSame(database.knex, 0);
      } finally {
        for (const [index, type] of TYPES.entries()) types.setTypeParser(type, before[index]!);
      }
    });
  }
});

const digest = (text: string) => createHash('sha256').update(text).digest('hex');
