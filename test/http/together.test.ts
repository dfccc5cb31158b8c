import type { Knex } from 'knex';
import { HOUR } from '../fixture/awayFromHourEnd';
import { describeEachEngine, freshDatabase, isMysql, type TestDatabase } from '../fixture/databases';
import { gatheringSwitch } from '../fixture/gatheringSwitch';
import { AUTHOR, startPanel, type TestPanel } from '../fixture/panel';
import { createPanelTables } from '../fixture/panelTables';
import { until } from '../fixture/until';

const ME = '/api/v1/me.php';

async function setUp(knex: Knex): Promise<void> {
  await createPanelTables(knex);
  const rows = Array.from({ length: 40 }, (_, index) => ({ id: index + 1, account_id: (index % 4) + 1 }));
  await knex('domains').insert(rows);
}

describeEachEngine('Requests that arrive together', (engine) => {
  const door = gatheringSwitch();
  let database: TestDatabase;
  let panel: TestPanel;
  let statements: string[] = [];

  beforeAll(async () => {
    database = await freshDatabase(engine);
    await setUp(database.knex);
    panel = await startPanel({
      db: database.knex,
      enabled: door.enabled,
      rateLimit: { requests: 1000, windowSeconds: HOUR },
    });
    await panel.get('/api/v1/domains.php', await panel.token());
    database.knex.on('query', ({ sql }: { sql: string }) => statements.push(sql));
  });

  const together = async (requests: readonly (readonly [path: string, token: string])[]) => {
    await panel.api.usage.flush();
    statements = [];
    door.gather(requests.length);
    const answers = await Promise.all(requests.map(([path, token]) => panel.get(path, token)));
    door.gather(1);
    return answers;
  };
  const naming = (...words: string[]) =>
    statements.filter((sql) => words.every((word) => sql.toLowerCase().includes(word)));

  test('share one look-up and one count, and each answer shows its own place in the window', async () => {
    const token = await panel.token();
    // The first request begins the window, which takes a second statement.
    await panel.get(ME, token);
    const answers = await together(Array.from({ length: 12 }, () => [ME, token]));
    const left = answers.map(({ body }) => body.data.rate_limit.remaining).sort((a, b) => b - a);
    expect(left).toEqual(Array.from({ length: 12 }, (_, index) => 998 - index));
    expect(naming('select', 'panel_api_tokens')).toHaveLength(1);
    expect(naming('panel_api_rate_limits')).toHaveLength(1);
  });

  test('with different tokens are each answered for their own token', async () => {
    const names = ['first', 'second', 'third', 'fourth', 'fifth'];
    const tokens = await Promise.all(names.map((name) => panel.token({ name })));
    const asked = names.flatMap((name, index) =>
      Array.from({ length: index + 1 }, () => ({ name, token: tokens[index] as string })),
    );
    const answers = await together(asked.map(({ token }) => [ME, token]));
    const seen = answers.map(({ body }) => body.data.token.name);
    expect(seen).toEqual(asked.map(({ name }) => name));
    for (const [index, name] of names.entries()) {
      const left = answers
        .filter(({ body }) => body.data.token.name === name)
        .map(({ body }) => body.data.rate_limit.remaining)
        .sort((a, b) => b - a);
      expect([name, left]).toEqual([name, Array.from({ length: index + 1 }, (_, place) => 999 - place)]);
    }
    expect(naming('select', 'from', 'panel_api_tokens')).toHaveLength(1);
  });

  test('with different tokens are counted by one statement, without a transaction that holds their rows, or on MySQL by two in one', async () => {
    const tokens = await Promise.all(['one', 'other'].map((name) => panel.token({ name })));
    const asked = tokens.map((token) => [ME, token] as const);
    // The first request detects whether the server returns several counts at once.
    for (let round = 0; round < 2; round += 1) await together(asked);
    const answers = await together(asked);
    expect(answers.map(({ body }) => body.data.rate_limit.remaining)).toEqual([997, 997]);
    // MySQL has no RETURNING.
    const statements = engine === 'mariadb' && isMysql ? 2 : 1;
    expect(naming('panel_api_rate_limits')).toHaveLength(statements);
    expect([...naming('start transaction'), ...naming('begin')]).toHaveLength(statements - 1);
  });

  test('are refused one by one, each for its own reason', async () => {
    const good = await panel.token();
    const { token: revoked, record } = await panel.api.tokens.create(
      { name: 'revoked', scopes: ['*'] },
      { actor: 'tester', origin: 'panel' },
    );
    await panel.api.tokens.revoke(record.id, { actor: 'tester', origin: 'panel' });
    const narrow = await panel.token({ scopes: ['jobs.read'] });
    const path = '/api/v1/domains.php';
    const answers = await together([
      [path, good],
      [path, revoked],
      [path, 'no token'],
      [path, narrow],
      [path, good.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))],
      [path, good],
    ]);
    expect(answers.map(({ status, body }) => [status, body.error?.code])).toEqual([
      [200, undefined],
      [401, 'token_revoked'],
      [401, 'token_unknown'],
      [403, 'scope_missing'],
      [401, 'token_unknown'],
      [200, undefined],
    ]);
  });

  test('fail only for the token whose row cannot be read', async () => {
    const good = await panel.token();
    const { token: broken, record } = await panel.api.tokens.create(
      { name: 'broken', scopes: ['*'] },
      AUTHOR,
    );
    await database
      .knex('panel_api_tokens')
      .where({ id: record.id })
      .update({ expires_at: '9007199254740993' });
    const answers = await together([good, broken, good].map((token) => [ME, token] as const));
    expect(answers.map(({ status }) => status)).toEqual([200, 500, 200]);
  });

  test.each(['', '&limit=100'])(
    'for the same list%s share a read of it with those of the same token',
    async (page) => {
      const tokens = await Promise.all(['one', 'other'].map((name) => panel.token({ name })));
      const path = `/api/v1/domains.php?account_id=2${page}`;
      const answers = await together(
        tokens.flatMap((token) => Array.from({ length: 5 }, () => [path, token] as const)),
      );
      expect(answers.map(({ body }) => body.data)).toEqual(answers.map(() => answers[0]?.body.data));
      expect(answers[0]?.body.data.items).toHaveLength(10);
      // The first of each token finds no read under way. The others wait, and share the next one.
      expect(naming('from', 'domains')).toHaveLength(4);
    },
  );

  test('never share what belongs to an account and to another one that has its id now', async () => {
    const accounts = database.knex('accounts');
    await accounts.clone().delete();
    await accounts.clone().insert({ id: 1, username: 'old', status: 'active' });
    const old = await panel.token({ accountId: 1 });
    await accounts.clone().update({ username: 'new' });
    const present = await panel.token({ accountId: 1 });
    const asked = [old, present, old, present].map((token) => ['/api/v1/domains.php', token] as const);
    expect((await together(asked)).map(({ status }) => status)).toEqual([403, 200, 403, 200]);
    expect(naming('from', 'domains').length).toBeGreaterThanOrEqual(2);
  });

  test('never share what belongs to different accounts, filters, pages or fields', async () => {
    await database.knex('accounts').delete();
    await database
      .knex('accounts')
      .insert([1, 2, 3, 4].map((id) => ({ id, username: `user${id}`, status: 'active' })));
    const bound = await Promise.all(['1', '2', '3', '4'].map((accountId) => panel.token({ accountId })));
    const all = await panel.token();
    const path = '/api/v1/domains.php';
    const asked = [
      ...bound.map((token) => [path, token] as const),
      ...[
        '',
        '?account_id=1',
        '?account_id=1,2',
        '?limit=1',
        '?limit=2',
        '?fields=account_id',
        '?updated_since=2030-01-01',
      ].map((query) => [path + query, all] as const),
    ];
    const apart: unknown[] = [];
    for (const [address, token] of asked) apart.push((await panel.get(address, token)).body.data);
    const answers = await together(asked);
    expect(answers.map(({ body }) => body.data)).toEqual(apart);
  });

  test('take three statements if there is only one', async () => {
    const token = await panel.token();
    const path = '/api/v1/domains.php?account_id=2';
    await together([[path, token]]);
    await together([[path, token]]);
    expect(statements).toHaveLength(3);
  });
});

/** Holds the answers to all statements that count requests until `release`. */
function holdCounts({ client }: Knex) {
  const query = client._query;
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let held = 0;
  client._query = async (connection: unknown, sent: { readonly sql: string }) => {
    const answer = await query.call(client, connection, sent);
    if (!/(into|update) .?panel_api_rate_limits/i.test(sent.sql)) return answer;
    held += 1;
    await released;
    return answer;
  };
  return { held: () => held, release: () => release() };
}

test.each(['mariadb', 'postgresql'] as const)(
  'Requests of one token from before and after it was bound anew share no read (%s)',
  async (engine) => {
    const { knex } = await freshDatabase(engine);
    await setUp(knex);
    await knex('accounts').insert({ id: 1, username: 'old', status: 'active' });
    const panel = await startPanel({ db: knex });
    const { token, record } = await panel.api.tokens.create(
      { name: 'test', scopes: ['*'], accountId: 1 },
      AUTHOR,
    );
    const list = '/api/v1/domains.php';
    await panel.get(list, token);
    const counts = holdCounts(knex);
    const statuses: Promise<number>[] = [];
    const ask = async (path: string) => {
      statuses.push(panel.get(path, token).then(({ status }) => status));
      await until(() => counts.held() === statuses.length);
    };
    // A request that is alone would read while it is counted.
    await ask(ME);
    // The first of the lists begins a read, and the other two wait for the next one.
    await ask(list);
    await ask(list);
    await knex('accounts').update({ username: 'new' });
    await panel.api.tokens.update(record.id, { accountId: 1 }, AUTHOR);
    await ask(list);
    counts.release();
    expect((await Promise.all(statuses)).slice(1)).toEqual([403, 403, 200]);
  },
);
