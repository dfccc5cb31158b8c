import type { Author } from '../../../lib/audit/AuditLog';
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

  test.each<[string, (author: Author) => Promise<unknown>]>([
    [
      'creates',
      (author) => panel.api.tokens.create({ name: 'a', scopes: ['*'], expiresInSeconds: 60 }, author),
    ],
    ['duplicates', (author) => panel.api.tokens.duplicate(id, {}, author)],
    ['updates', (author) => panel.api.tokens.update(id, { accountId: '7' }, author)],
    ['extends', (author) => panel.api.tokens.extend(id, { expiresInSeconds: 600 }, author)],
    [
      'rotates',
      (author) => panel.api.tokens.rotate(id, { graceSeconds: 300, expiresInSeconds: 600 }, author),
    ],
    ['revokes', (author) => panel.api.tokens.revoke(id, author)],
    ['revokes all of an account', (author) => panel.api.tokens.revokeAllOf('5', author)],
    [
      'changes settings',
      (author) => panel.api.settings.change({ lastUsedAddress: true, rateLimitRequests: id + 1 }, author),
    ],
    ['turns the API on', (author) => panel.api.settings.enable(author)],
  ])('on who %s', async (_what, change) => {
    await panel.api.tokens.create({ name: 'b', scopes: ['*'], accountId: '5', expiresInSeconds: 60 }, AUTHOR);
    const [last] = await panel.api.audit.list({ limit: 1 });
    const author: { actor: string; origin: 'panel' } = { actor: 'ann', origin: 'panel' };
    const called = change(author);
    author.actor = 'ben';
    await called;
    const written = (await panel.api.audit.list()).filter(
      (entry) => entry.id > Number(last?.id) && entry.actor !== AUTHOR.actor,
    );
    expect(new Set(written.map(({ actor }) => actor))).toEqual(new Set(['ann']));
  });

  test('on the entries that a query of the audit trail returns', async () => {
    const query: { tokenId?: number } = { tokenId: id };
    const called = panel.api.audit.list(query);
    delete query.tokenId;
    expect(new Set((await called).map(({ tokenId }) => tokenId))).toEqual(new Set([id]));
  });
});
