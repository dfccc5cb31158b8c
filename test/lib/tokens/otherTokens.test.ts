import { freshDatabase, type TestDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

const DAY = 86_400;

type Tokens = TestPanel['api']['tokens'];

const WRITES: readonly [method: string, (tokens: Tokens, id: number) => unknown, action: string][] = [
  ['update', (tokens, id) => tokens.update(id, { note: 'new' }, AUTHOR), 'token.changed'],
  ['extend', (tokens, id) => tokens.extend(id, { expiresInSeconds: 9 * DAY }, AUTHOR), 'token.extended'],
  ['rotate', (tokens, id) => tokens.rotate(id, { graceSeconds: 300 }, AUTHOR), 'token.rotated'],
  ['revoke', (tokens, id) => tokens.revoke(id, AUTHOR), 'token.revoked'],
];

const BY_ID: readonly [method: string, (tokens: Tokens, id: number) => unknown][] = [
  ...WRITES.map(([method, write]) => [method, write] as [string, typeof write]),
  ['duplicate', (tokens, id) => tokens.duplicate(id, {}, AUTHOR)],
  ['get', (tokens, id) => tokens.get(id)],
];

describe('A change of one token', () => {
  let database: TestDatabase;
  let panel: TestPanel;

  beforeEach(async () => {
    database = await freshDatabase('sqlite');
    panel = await startPanel({ db: database.knex });
    for (const name of ['before', 'this', 'after'])
      await panel.api.tokens.create({ name, scopes: ['*'], expiresInSeconds: DAY }, AUTHOR);
  });

  /** The rows of the three tokens. A rotation adds another. */
  const rows = async () => (await database.knex('panel_api_tokens').orderBy('id')).slice(0, 3);

  test.each(WRITES)('leaves the other tokens as they are: %s', async (_method, write, action) => {
    const [before, token, after] = await rows();
    await write(panel.api.tokens, token.id);
    const [beforeNow, tokenNow, afterNow] = await rows();
    expect([beforeNow, afterNow]).toEqual([before, after]);
    expect(tokenNow).not.toEqual(token);
    const entries = await panel.api.audit.list({ tokenId: token.id });
    expect(entries.find((entry) => entry.action === action)?.details).toMatchObject({ name: 'this' });
  });

  test.each(BY_ID)('is refused if the id is no whole number: %s', async (_method, call) => {
    const before = await rows();
    for (const id of ['2', 2.5, true, null, [2]])
      await expect(call(panel.api.tokens, id as never)).rejects.toMatchObject({
        input: 'id',
        message: 'The id of a token must be a whole number.',
      });
    expect(await rows()).toEqual(before);
  });

  test.each(BY_ID)('finds nothing by an id that no token can have: %s', async (_method, call) => {
    for (const id of [0, -1, 2 ** 31]) expect(await call(panel.api.tokens, id)).toBeNull();
  });
});
