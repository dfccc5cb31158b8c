import { type AuditQuery, InvalidInput } from '../../../index';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { startPanel, type TestPanel } from '../../fixture/panel';
import { insertAuditRows } from '../../fixture/section/auditRows';

const ANN = { actor: 'ann', origin: 'api-section', address: '192.0.2.7' } as const;
const BEN = { actor: 'ben', origin: 'cli' } as const;

const WRONG: readonly [what: string, query: object][] = [
  ['an unknown key', { actors: 'ann' }],
  ['an unknown action', { action: 'token.stolen' }],
  ['a time that is a text', { since: '2026-01-01' }],
  ['a time that is a fraction', { until: 1.5 }],
  ['a limit of 0', { limit: 0 }],
  ['a limit beyond 10,000', { limit: 10_001 }],
  ['a name of a token that is no text', { tokenName: 7 } as never],
  ['a name of a person that is no text', { actorName: 7 } as never],
  ['an actor that is no text', { actor: null } as never],
  ['a text as before', { before: 'x' }],
];

describeEachEngine('The audit trail', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;
  let startedAt: number;

  const found = async (query: AuditQuery) =>
    (await panel.api.audit.list(query)).map(({ actor, action, tokenId }) => [actor, action, tokenId]);

  beforeAll(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex });
    const { tokens } = panel.api;
    startedAt = Math.floor(Date.now() / 1000);
    const { record } = await tokens.create({ name: 'Billing 100%', scopes: ['*'] }, ANN);
    await tokens.create({ name: 'Monitoring', scopes: ['*'] }, BEN);
    await tokens.revoke(record.id, BEN);
  });

  test('has the address of the author, if it is known', async () => {
    const entries = await panel.api.audit.list({ action: 'token.created' });
    expect(entries.map(({ actor, address }) => [actor, address])).toEqual([
      ['ben', null],
      ['ann', '192.0.2.7'],
    ]);
  });

  test('is filtered by action', async () => {
    expect(await found({ action: 'token.revoked' })).toEqual([['ben', 'token.revoked', 1]]);
  });

  test.each(['billing', 'G 100%', '100%'])('is filtered by a part of the name: %s', async (tokenName) => {
    expect(await found({ tokenName })).toEqual([
      ['ben', 'token.revoked', 1],
      ['ann', 'token.created', 1],
    ]);
  });

  test.each(['BEN', 'be', 'n'])('is filtered by a part of the name of a person: %s', async (actorName) => {
    const all = await found({});
    expect(await found({ actorName })).toEqual(
      all.filter(([actor]) => String(actor).includes(actorName.toLowerCase())),
    );
  });

  test.each(['B%n', 'benno', 'ben\0'])(
    'has no entry of a person whose name contains %j',
    async (actorName) => {
      expect(await found({ actorName })).toEqual([]);
    },
  );

  test.each(['B%ling', 'nothing', 'Billing\0'])('has no entry for the name %j', async (tokenName) => {
    expect(await found({ tokenName })).toEqual([]);
  });

  test('is filtered by time: from the first second, up to before the second', async () => {
    const entries = await panel.api.audit.list();
    const [newest, oldest] = [entries[0]!.at, entries.at(-1)!.at];
    expect(oldest).toBeGreaterThanOrEqual(startedAt - 1);
    expect(await found({ since: oldest, until: newest + 1 })).toHaveLength(3);
    expect(await found({ until: oldest })).toEqual([]);
    expect(await found({ since: newest + 1 })).toEqual([]);
  });

  test('combines filters', async () => {
    expect(await found({ actor: 'ben', tokenName: 'monitor', action: 'token.created' })).toEqual([
      ['ben', 'token.created', 2],
    ]);
    expect(await found({ actor: 'ann', action: 'token.revoked' })).toEqual([]);
  });

  test('refuses an author with an unknown key in every method, and writes nothing', async () => {
    const { tokens, settings, audit } = panel.api;
    const before = await audit.list();
    const author = { ...BEN, adress: '192.0.2.7' } as typeof BEN;
    for (const change of [
      () => tokens.create({ name: 'x', scopes: ['*'] }, author),
      () => tokens.update(2, { name: 'x' }, author),
      () => tokens.revoke(2, author),
      () => settings.change({ rateLimitRequests: 5 }, author),
      () => settings.enable(author),
    ]) {
      const error = await change().catch((thrown) => thrown);
      expect(error).toBeInstanceOf(InvalidInput);
      expect(error.message).toBe(
        'Unknown property adress. Did you mean address? An author may have only actor, origin, address.',
      );
    }
    expect(await audit.list()).toEqual(before);
  });

  test.each(WRONG)('refuses %s', async (_what, query) => {
    await expect(panel.api.audit.list(query)).rejects.toThrow(InvalidInput);
  });

  test.each(['panel.example', '192.0.2.0/24', '', 7])(
    'accepts no author with the address %j',
    async (address) => {
      const author = { ...ANN, address } as unknown as typeof ANN;
      await expect(panel.api.settings.enable(author)).rejects.toThrow('must be an IP address');
    },
  );

  test.each(['null', '7', '"text"', '[]', '{"name":', ''])(
    'has no details in an entry whose stored details are %j',
    async (details) => {
      await insertAuditRows(database.knex, [{ actor: 'cleo', token_id: null, details: {} }]);
      await database.knex('panel_api_audit_log').where({ actor: 'cleo' }).update({ details });
      const [entry] = await panel.api.audit.list({ actor: 'cleo' });
      expect(entry?.details).toEqual({});
      await database.knex('panel_api_audit_log').where({ actor: 'cleo' }).delete();
    },
  );
});
