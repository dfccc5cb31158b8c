import { DuplicateRequest, InvalidInput, type TokenRequest } from '../../../index';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';
import { startHost } from '../../fixture/processes/hostProcess';

const REQUEST = { name: 'billing', scopes: ['*'] };

describeEachEngine('The idempotency key of a request for a token', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex });
  });

  const create = (request: object) =>
    panel.api.tokens.create({ ...REQUEST, ...request } as TokenRequest, AUTHOR);
  const counts = async () => [
    (await database.knex('panel_api_tokens').pluck('id')).length,
    (await database.knex('panel_api_audit_log').pluck('id')).length,
  ];

  test('creates one token, and the second request names it', async () => {
    const { record } = await create({ idempotencyKey: 'a1' });
    const before = await counts();
    const error = await create({ idempotencyKey: 'a1' }).catch((reason) => reason);
    expect(error).toBeInstanceOf(DuplicateRequest);
    expect(error).toBeInstanceOf(InvalidInput);
    expect([error.name, error.input, error.tokenId]).toEqual([
      'DuplicateRequest',
      'idempotencyKey',
      record.id,
    ]);
    expect(await counts()).toEqual(before);
  });

  test('is another key in other letter case', async () => {
    const keys = ['Request', 'request', 'REQUEST', 'request!', '~'.repeat(64), '~'.repeat(63)];
    for (const idempotencyKey of keys) await expect(create({ idempotencyKey })).resolves.toBeDefined();
  });

  test('left out creates a token every time', async () => {
    await expect(create({})).resolves.toBeDefined();
    await expect(create({})).resolves.toBeDefined();
  });

  test('is refused with InvalidInput if it is no valid key, and nothing is written', async () => {
    const before = await counts();
    for (const idempotencyKey of [
      undefined,
      null,
      '',
      ' ',
      'a b',
      'a\n',
      'é',
      '\0',
      'x'.repeat(65),
      7,
      ['a'],
      {},
    ]) {
      const error = await create({ idempotencyKey }).catch((reason) => reason);
      expect([idempotencyKey, error.name, error.input]).toEqual([
        idempotencyKey,
        'InvalidInput',
        'idempotencyKey',
      ]);
    }
    expect(await counts()).toEqual(before);
  });

  test('is not shown anywhere', async () => {
    const { record } = await create({ idempotencyKey: 'hidden-key' });
    const shown = [record, await panel.api.audit.list(), await database.knex('panel_api_tokens')];
    expect(JSON.stringify(shown)).not.toContain('hidden-key');
  });

  test('creates one token when two processes ask at the same moment', async () => {
    const hosts = await Promise.all([startHost(database), startHost(database)]);
    for (let round = 0; round < 10; round += 1) {
      const idempotencyKey = `round-${round}`;
      const before = await counts();
      const settled = await Promise.allSettled(
        [0, 1, 0, 1].map((host) => hosts[host]!.create({ idempotencyKey })),
      );
      const created = settled.filter((result) => result.status === 'fulfilled');
      const lost = settled.filter((result) => result.status === 'rejected');
      expect(created).toHaveLength(1);
      const { id } = created[0]!.value.record;
      for (const { reason } of lost)
        expect(reason.message).toMatch(
          `DuplicateRequest: A request with this idempotency key already created token ${id}.`,
        );
      expect(await counts()).toEqual(before.map((count) => count + 1));
    }
  });
});
