import type { TokenGroup } from '../../../index';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { startPanel, type TestPanel } from '../../fixture/panel';
import { insertToken } from '../../fixture/tokenRows';

const NOW = Math.floor(Date.now() / 1000);
const DAY = 86_400;

/** Tokens in the order in which they are created. */
const TOKENS: readonly [name: string, row: object][] = [
  ['everything for ever', { scopes: '*' }],
  ['everything for ever, newer', { scopes: '*' }],
  ['everything for a year', { scopes: '*', expires_at: NOW + 365 * DAY }],
  ['everything for ever, revoked', { scopes: '*', revoked_at: NOW }],
  ['little for ever', {}],
  ['expires in 10 days', { expires_at: NOW + 10 * DAY }],
  ['expires tomorrow', { expires_at: NOW + DAY }],
  ['expires tomorrow, rotated', { expires_at: NOW + DAY, rotated_at: NOW, id: 1000 }],
  ['replaces the last one', { lineage: 1000, id: 1001 }],
  ['expires tomorrow, revoked', { expires_at: NOW + DAY, revoked_at: NOW }],
  ['expires in 15 days', { expires_at: NOW + 15 * DAY }],
  ['expired 13 days ago', { expires_at: NOW - 13 * DAY }],
  ['expired yesterday', { expires_at: NOW - DAY }],
  ['expired yesterday, rotated', { expires_at: NOW - DAY, rotated_at: NOW - 2 * DAY, id: 2000 }],
  ['replaces the last one, too', { lineage: 2000, id: 2001 }],
  ['expired yesterday, revoked', { expires_at: NOW - DAY, revoked_at: NOW }],
  ['expired 15 days ago', { expires_at: NOW - 15 * DAY }],
  ['used 91 days ago', { last_used_at: NOW - 91 * DAY }],
  ['never used, 100 days old', { created_at: NOW - 100 * DAY }],
  ['used 91 days ago, expired', { last_used_at: NOW - 91 * DAY, expires_at: NOW - 20 * DAY }],
  ['used 89 days ago', { last_used_at: NOW - 89 * DAY, created_at: NOW - 200 * DAY }],
];

describeEachEngine('The tokens that need attention', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex });
    await panel.api.tokens.list();
  });

  beforeEach(() => database.knex('panel_api_tokens').delete());

  const insert = (name: string, values: object) =>
    insertToken(database.knex, { name, scopes: 'domains.read', created_at: NOW - 30 * DAY, ...values });

  const attention = async () =>
    Object.entries<TokenGroup | null>({ ...(await panel.api.tokens.attention()) }).map(([group, found]) => [
      group,
      found?.count,
      found?.tokens.map(({ name }) => name),
    ]);

  test('are none without tokens', async () => {
    expect(await attention()).toEqual([
      ['expiring', 0, []],
      ['expired', 0, []],
      ['silent', 0, []],
      ['limited', 0, []],
      ['unused', 0, []],
      ['unlimited', 0, []],
    ]);
  });

  test('are those that expire soon, have just expired, are unused, or may read everything for ever', async () => {
    for (const [name, values] of TOKENS) await insert(name, values);
    expect(await attention()).toEqual([
      ['expiring', 2, ['expires tomorrow', 'expires in 10 days']],
      ['expired', 2, ['expired yesterday', 'expired 13 days ago']],
      ['silent', 0, []],
      ['limited', 0, []],
      ['unused', 2, ['never used, 100 days old', 'used 91 days ago']],
      ['unlimited', 2, ['everything for ever, newer', 'everything for ever']],
    ]);
    expect(await panel.api.tokens.countWarnings()).toEqual({ everlasting: 8, wildcard: 3, unused: 2 });
  });

  test('contain active ones that were over their limit in the last 7 days', async () => {
    const at = (days: number) => NOW - days * DAY;
    await insert('over', { id: 1, last_used_at: at(3) });
    await insert('over since', { id: 2, last_used_at: at(1) });
    await insert('over long ago', { id: 3 });
    await insert('refused for its scope', { id: 4 });
    await insert('over and revoked', { id: 5, revoked_at: NOW });
    const refusal = { endpoint: 'domains', code: 'rate_limited', request_id: 'x' };
    await database.knex('panel_api_refusals').insert([
      { ...refusal, token_id: 1, at: at(6.9) },
      { ...refusal, token_id: 2, at: at(1) },
      { ...refusal, token_id: 2, at: at(1) },
      { ...refusal, token_id: 3, at: at(7.1) },
      { ...refusal, token_id: 4, at: at(1), code: 'scope_missing' },
      { ...refusal, token_id: 5, at: at(1) },
    ]);
    const { limited } = await panel.api.tokens.attention();
    expect([limited.count, limited.tokens.map(({ name }) => name)]).toEqual([2, ['over since', 'over']]);
  });

  test('contain a rotated one if the token that replaced it was revoked', async () => {
    const rotated = { expires_at: NOW + DAY, rotated_at: NOW };
    await insert('left', { ...rotated, id: 1 });
    await insert('left, too', { ...rotated, id: 2, lineage: 1 });
    await insert('revoked replacement', { id: 3, lineage: 1, revoked_at: NOW });
    await insert('replaced', { ...rotated, id: 4 });
    await insert('its replacement', { id: 5, lineage: 4 });
    await insert('ended', { expires_at: NOW - DAY, rotated_at: NOW - 2 * DAY, id: 6 });
    const groups = new Map((await attention()).map(([group, , names]) => [group, names]));
    expect([groups.get('expiring'), groups.get('expired')]).toEqual([['left', 'left, too'], ['ended']]);
    const { tokens } = await panel.api.tokens.page({ filter: 'expiring' });
    expect(tokens.map(({ name }) => name)).toEqual(['left, too', 'left']);
    expect((await panel.api.tokens.countFilters()).expiring).toBe(2);
  });

  test('are all counted, and ten of each kind are returned', async () => {
    for (let index = 0; index < 12; index += 1)
      await insert(`${index}`, { expires_at: NOW + (20 - index) * 1000 });
    const { expiring } = await panel.api.tokens.attention();
    expect(expiring.count).toBe(12);
    expect(expiring.tokens.map(({ name }) => name)).toEqual(
      Array.from({ length: 10 }, (_, index) => `${11 - index}`),
    );
    expect(expiring.tokens[0]).toEqual({
      ...(await panel.api.tokens.get(expiring.tokens[0]!.id)),
      readAt: expect.any(Number),
    });
  });
});
