import { describeOneEngine, freshDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

describeOneEngine('What the caller changes in an argument after the call has no effect:', (engine) => {
  let panel: TestPanel;
  let id: number;

  beforeAll(async () => {
    panel = await startPanel({ db: (await freshDatabase(engine)).knex });
  });

  beforeEach(async () => {
    const token = { name: 'test', scopes: ['jobs.read'], expiresInSeconds: 60 };
    ({ id } = (await panel.api.tokens.create(token, AUTHOR)).record);
  });

  test('on a new token', async () => {
    const request = { name: 'new', scopes: ['jobs.read'], accountId: '7' };
    const called = panel.api.tokens.create(request, AUTHOR);
    request.scopes[0] = '*';
    Object.assign(request, { accountId: '8' });
    expect((await called).record).toMatchObject({ scopes: ['jobs.read'], accountId: '7' });
  });

  test('on a duplicate', async () => {
    const request = { scopes: ['domains.read'], rateLimit: 5 };
    const called = panel.api.tokens.duplicate(id, request, AUTHOR);
    Object.assign(request, { scopes: ['*'], rateLimit: 500 });
    expect((await called)?.record).toMatchObject({ scopes: ['domains.read'], rateLimit: 5 });
  });

  test('on a changed token', async () => {
    const changes = { scopes: ['domains.read'] };
    const called = panel.api.tokens.update(id, changes, AUTHOR);
    changes.scopes = ['*'];
    expect((await called)?.scopes).toEqual(['domains.read']);
  });

  test('on a longer life', async () => {
    const extension = { expiresInSeconds: 1000 };
    const called = panel.api.tokens.extend(id, extension, AUTHOR);
    extension.expiresInSeconds = 1_000_000;
    const token = await called;
    expect(Number(token?.expiresAt) - Number(token?.readAt)).toBe(1000);
  });

  test('on the end of the token that replaces another', async () => {
    const rotation = { graceSeconds: 300, expiresInSeconds: 1000 };
    const called = panel.api.tokens.rotate(id, rotation, AUTHOR);
    rotation.expiresInSeconds = 1_000_000;
    const record = (await called)?.record;
    expect(Number(record?.expiresAt) - Number(record?.createdAt)).toBe(1000);
  });

  test('on the entries that a query of the audit trail returns', async () => {
    const query: { tokenId?: number } = { tokenId: id };
    const called = panel.api.audit.list(query);
    delete query.tokenId;
    expect(new Set((await called).map(({ tokenId }) => tokenId))).toEqual(new Set([id]));
  });
});
