import type { Knex } from 'knex';
import type { Operation } from '../../lib/fields/Operation';
import { operations } from '../../routes';
import { freshDatabase, isMysql, openHandle } from '../fixture/databases';
import { handleSettings, sessionPool } from '../fixture/handleSettings';
import { type Item, pathOf } from '../fixture/listPanel';
import { AUTHOR } from '../fixture/panel';
import { type SectionPanel, shownToken, startSectionPanel } from '../fixture/section/sectionPanel';
import { isWhole } from '../prove/scale';

/** Texts that end a literal or not, depending on the server's mode. */
const TEXTS = [
  "\\' or 1=1 -- x",
  "' or 1=1 -- x",
  '\\" or 1=1 -- x',
  "\\'; delete from jobs; -- x",
  'ends in \\',
  `it's "quoted" \`twice\``,
  'Ä ö ß',
  '🐘',
  'nul \0 nul',
  '?',
];

// A parameter and a name may not contain it, but a key may.
const TYPED = TEXTS.filter((text) => !text.includes('\0'));

const lists: readonly Operation[] = operations.filter(
  ({ kind, name }) => kind === 'list' && name !== 'services',
);

/** The fields of a list that hold texts and have a filter. */
const textFields = ({ fields }: Operation) =>
  Object.entries(fields).flatMap(([name, { kind, filterable }]) =>
    filterable && (kind === 'word' || kind === 'text') ? [name] : [],
  );

const MODES = [
  'NO_BACKSLASH_ESCAPES',
  'ANSI_QUOTES',
  isMysql ? 'PAD_CHAR_TO_FULL_LENGTH,TIME_TRUNCATE_FRACTIONAL' : 'ORACLE',
  'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,STRICT_ALL_TABLES',
];

describe.each(MODES)('Over a MariaDB or MySQL in the mode %s', (mode) => {
  /** The cases of this mode, of those that differ as little as two lists do. In a whole proof all. */
  const shareOfMode = <T>(cases: readonly T[]) =>
    cases.filter((_, at) => isWhole || at % MODES.length === MODES.indexOf(mode));
  let section: SectionPanel;
  let db: Knex;

  beforeAll(async () => {
    const database = await freshDatabase('mariadb');
    db = openHandle({ ...handleSettings(database), pool: sessionPool([`SET sql_mode = '${mode}'`]) });
    section = await startSectionPanel(
      'mariadb',
      {
        db,
        sources: {
          settings: { keys: TEXTS },
          // The account of a job is in a column of texts, like the ids of accounts.
          accounts: { fields: { id: 'username' } },
          jobs: { fields: { account_id: 'actor' } },
          websites: {
            query: (knex) => knex('websites as w').whereNot('w.status', 'gone'),
            fields: Object.fromEntries(
              ['id', 'domain', 'status', 'runtime'].map((name) => [name, `w.${name}`]),
            ),
          },
        },
      },
      {},
      database,
    );
    await section.panel.api.settings.enable(AUTHOR);
    const { knex } = section.database;
    for (const operation of lists) {
      const [key = ''] = Object.keys(operation.fields);
      await knex(operation.name).delete();
      for (const [index, text] of TEXTS.entries()) {
        const texts = Object.fromEntries(textFields(operation).map((field) => [field, text]));
        const id = key === 'id' ? index + 1 : text;
        const actor = operation.name === 'jobs' ? { actor: text } : {};
        await knex(operation.name).insert({ ...texts, ...actor, [key]: id });
      }
    }
  });

  const items = async (path: string, token?: string): Promise<readonly Item[]> => {
    const { status, body } = await section.panel.get(
      `/api/v1/${path}`,
      token ?? (await section.panel.token()),
    );
    expect([path, status]).toEqual([path, 200]);
    return body.data.items;
  };

  test.each(shareOfMode(lists.map(({ name }) => name)))(
    'a filter of %s finds the rows with that very text',
    async (name) => {
      const operation = lists.find((list) => list.name === name)!;
      const token = await section.panel.token();
      const all = await items(`${name}.php`, token);
      expect(all).toHaveLength(TEXTS.length);
      for (const field of textFields(operation).filter((field) => field in all[0]!)) {
        for (const text of TYPED) {
          const path = pathOf(name, { [field]: text });
          expect([path, await items(path, token)]).toEqual([
            path,
            all.filter((item) => item[field] === text),
          ]);
        }
      }
    },
  );

  test('a search finds the names that begin with that very text', async () => {
    const token = await section.panel.token();
    const all = await items('domains.php', token);
    for (const search of TYPED.map((text) => text.slice(0, 3)).filter((text) => text !== '')) {
      const found = await items(pathOf('domains', { search }), token);
      const begins = ({ domain }: Item) => String(domain).toLowerCase().startsWith(search.toLowerCase());
      expect([search, found]).toEqual([search, all.filter(begins)]);
    }
  });

  test('a list continues after any key', async () => {
    const token = await section.panel.token();
    const found: unknown[] = [];
    let cursor: string | null = null;
    do {
      const page = cursor === null ? '' : `&cursor=${cursor}`;
      const { body } = await section.panel.get(`/api/v1/settings.php?limit=1${page}`, token);
      found.push(...body.data.items.map(({ key }: Item) => key));
      cursor = body.data.next_cursor;
    } while (cursor !== null);
    expect(found.toSorted()).toEqual(TEXTS.toSorted());
  });

  test.each(TYPED)('a token, its account and its author may be %j', async (text) => {
    const { panel } = section;
    const author = { actor: text, origin: 'panel' } as const;
    const name = text.trim();
    const { token, record } = await panel.api.tokens.create({ name, scopes: ['*'], accountId: text }, author);
    expect(record).toMatchObject({ name, accountId: text, createdBy: text });
    expect((await panel.get('/api/v1/me.php', token)).body.data.token.name).toBe(name);
    expect((await items('jobs.php', token)).map(({ id }) => id)).toEqual([TEXTS.indexOf(text) + 1]);
    expect((await panel.api.tokens.page({ search: name })).tokens.map(({ id }) => id)).toContain(record.id);
    await panel.api.tokens.revoke(record.id, author);
    await panel.api.settings.disable(author);
    await panel.api.settings.enable(author);
    await panel.api.usage.flush();
    const entries = await panel.api.audit.list({ actor: text });
    expect(entries.map(({ actor }) => actor)).toEqual([text, text, text, text]);
    expect(entries.at(-1)?.details).toMatchObject({ name, account_id: text });
    expect((await panel.get('/api/v1/me.php', token)).body.error.code).toBe('token_revoked');
  });

  test.each(shareOfMode(TYPED))('the section accepts %j in its forms', async (text) => {
    const admin = { admin: text };
    const account = text.trim();
    const fields = { name: text, account, account_id: account, scope: 'jobs.read', expiry: '7' };
    const { status, text: page } = await section.send(
      `tokens/review?${new URLSearchParams(fields)}`,
      'tokens',
      {},
      admin,
    );
    expect([status, shownToken(page)]).toEqual([200, expect.any(String)]);
    const [newest] = await section.panel.api.tokens.list();
    expect(newest).toMatchObject({ name: text.trim(), accountId: text.trim(), createdBy: text });
    for (const path of [
      `tokens?${new URLSearchParams({ search: text })}`,
      `audit?${new URLSearchParams({ actor: text })}`,
    ]) {
      expect((await section.get(path, admin)).status).toBe(200);
    }
    const changed = {
      rate_limit_window_seconds: '60',
      https_required: 'on',
      default_expiry_days: '30',
      max_expiry_days: '0',
    };
    expect((await section.send('settings', 'settings', changed, admin)).status).toBeLessThan(400);
  });

  test('every endpoint answers', async () => {
    const token = await section.panel.token();
    for (const { name } of operations) {
      const { status } = await section.panel.get(`/api/v1/${name}.php`, token);
      expect([name, status < 500 || (name === 'services' && status === 501)]).toEqual([name, true]);
    }
  });
});
