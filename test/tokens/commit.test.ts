import { freshDatabase, type TestDatabase } from '../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../fixture/panel';

// Only PostgreSQL can be told to refuse a commit.
const REFUSE_COMMITS = [
  `CREATE FUNCTION refuse() RETURNS trigger AS $$ BEGIN RAISE 'refused'; END $$ LANGUAGE plpgsql`,
  `CREATE CONSTRAINT TRIGGER refuse AFTER INSERT OR UPDATE ON panel_api_tokens
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()`,
];

describe('A change of tokens whose commit is refused', () => {
  let database: TestDatabase;
  let panel: TestPanel;
  let tokenId: number;

  beforeAll(async () => {
    database = await freshDatabase('postgresql');
    panel = await startPanel({ db: database.knex });
    tokenId = (await panel.api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR)).record.id;
    for (const statement of REFUSE_COMMITS) await database.knex.raw(statement);
  });

  afterAll(async () => {
    await panel?.close();
    await database?.drop();
  });

  test('leaves neither a token nor an audit entry', async () => {
    await expect(panel.token()).rejects.toThrow('tokens.create failed');
    expect(await panel.api.tokens.list()).toHaveLength(1);
    expect(await panel.api.audit.list()).toHaveLength(1);
  });

  test('revokes nothing and leaves no audit entry', async () => {
    await expect(panel.api.tokens.revoke(tokenId, AUTHOR)).rejects.toThrow('tokens.revoke failed');
    expect(await panel.api.tokens.get(tokenId)).toMatchObject({ state: 'active' });
    expect(await panel.api.audit.list()).toHaveLength(1);
  });
});
