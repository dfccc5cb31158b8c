import type { PanelApi } from '../../../index';
import { newToken } from '../../../lib/tokens/tokenFormat';
import { freshDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

type Call = (tokens: PanelApi['tokens'], id: number) => Promise<unknown>;

const CALLS: readonly (readonly [query: string, call: Call])[] = [
  ['tokens.create', (tokens) => tokens.create({ name: 'new', scopes: ['*'] }, AUTHOR)],
  ['tokens.update', (tokens, id) => tokens.update(id, { name: 'other' }, AUTHOR)],
  ['tokens.extend', (tokens, id) => tokens.extend(id, { expiresInSeconds: 100 }, AUTHOR)],
  ['tokens.rotate', (tokens, id) => tokens.rotate(id, { graceSeconds: 300 }, AUTHOR)],
  ['tokens.revoke', (tokens, id) => tokens.revoke(id, AUTHOR)],
  ['tokens.list', (tokens) => tokens.list()],
  ['tokens.page', (tokens) => tokens.page()],
  ['tokens.get', (tokens, id) => tokens.get(id)],
  ['tokens.find', (tokens) => tokens.find(newToken('pnl'))],
  ['tokens.revokeAllOf', (tokens, id) => tokens.revokeAllOf(id, AUTHOR)],
  ['tokens.states', (tokens) => tokens.countStates()],
  ['tokens.filters', (tokens) => tokens.countFilters()],
  ['tokens.warnings', (tokens) => tokens.countWarnings()],
  ['tokens.attention', (tokens) => tokens.attention()],
];

describe('A failure of the database', () => {
  let panel: TestPanel;
  let token: string;

  beforeAll(async () => {
    const { knex } = await freshDatabase('sqlite');
    panel = await startPanel({ db: knex });
    token = await panel.token();
    await knex.schema.renameTable('panel_api_tokens', 'elsewhere');
  });

  test.each(CALLS)('names its statement %s', async (query, call) => {
    await expect(call(panel.api.tokens, 1)).rejects.toMatchObject({ name: 'DatabaseFailure', query });
  });

  test('names the look-up of a token in the log', async () => {
    expect((await panel.get('/api/v1/me.php', token)).status).toBe(503);
    const [line] = await panel.requestLines(1);
    expect(line?.fields).toMatchObject({ cause_query: 'tokens.lookup' });
  });
});
