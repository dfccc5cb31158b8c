import { setTimeout as sleep } from 'node:timers/promises';
import { type CreatedToken, InvalidInput } from '../../../index';
import { describeEachEngine, freshDatabase, openHandle, type TestDatabase } from '../../fixture/databases';
import { handleSettings } from '../../fixture/handleSettings';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';
import { plainSql } from '../../fixture/plainSql';

const ME = '/api/v1/me.php';
const TABLE = 'panel_api_tokens';
const DAY = 86_400;

type Change = readonly [name: string, (tokens: TestPanel['api']['tokens'], id: number) => Promise<unknown>];

const CHANGES: readonly Change[] = [
  ['an extension', (tokens, id) => tokens.extend(id, { expiresInSeconds: DAY }, AUTHOR)],
  ['a change of its expiry', (tokens, id) => tokens.update(id, { expiresAt: null }, AUTHOR)],
  ['a change of its name', (tokens, id) => tokens.update(id, { name: 'other' }, AUTHOR)],
];
const ROTATIONS: readonly Change[] = [
  ['a rotation', (tokens, id) => tokens.rotate(id, { graceSeconds: DAY }, AUTHOR)],
  ['the beginning of a rotation', (tokens, id) => tokens.beginRotation(id, { graceSeconds: DAY }, AUTHOR)],
];

/** Holds back what the changes write until `untilExpired` has resolved. Returns what ends that. */
type HoldBack = (
  database: TestDatabase,
  created: readonly CreatedToken[],
  untilExpired: () => Promise<void>,
) => Promise<() => Promise<unknown>>;

const lockRows: HoldBack = async (database, created) => {
  const holder = await openHandle(handleSettings(database)).transaction();
  for (const { record } of created)
    await holder(TABLE).where({ id: record.id }).update({ prefix: record.prefix });
  return () => holder.commit();
};

const delayStatements: HoldBack = async ({ knex: { client } }, _created, untilExpired) => {
  const query = client._query;
  client._query = async (connection: unknown, sent: { readonly sql: string }) => {
    if (/^update .*version/i.test(plainSql(sent.sql))) await untilExpired();
    return query.call(client, connection, sent);
  };
  return async () => undefined;
};

describeEachEngine('A token that expires during', (engine) => {
  describe.each([
    ['a change that waits for a lock', [...CHANGES, ...ROTATIONS], lockRows],
    ['a change whose statement arrives late', CHANGES, delayStatements],
  ] as const)('%s', (_how, changes, holdBack) => {
    let panel: TestPanel;
    let created: readonly CreatedToken[];
    let endings: readonly unknown[];

    beforeAll(async () => {
      const database = await freshDatabase(engine);
      panel = await startPanel({ db: database.knex, deadlineMs: 20_000 });
      const { tokens } = panel.api;
      const request = { name: 'test', scopes: ['*'], expiresInSeconds: 2 };
      created = await Promise.all(changes.map(() => tokens.create(request, AUTHOR)));
      const lastExpiry = Math.max(...created.map(({ record }) => record.expiresAt!));
      const untilExpired = async () => {
        while (Date.now() < lastExpiry * 1000) await sleep(50);
      };
      const goOn = await holdBack(database, created, untilExpired);
      const changing = Promise.all(
        changes.map(([, change], index) =>
          change(tokens, created[index]!.record.id).catch((reason: unknown) => reason),
        ),
      );
      await untilExpired();
      await goOn();
      endings = await changing;
    });

    test.each(changes.map(([name], index) => [name, index] as const))(
      '%s is refused and writes nothing',
      async (_name, index) => {
        const { token, record } = created[index]!;
        const error = endings[index] as InvalidInput;
        expect(error).toBeInstanceOf(InvalidInput);
        expect([error.input, error.message]).toEqual(['id', expect.stringContaining('is expired')]);
        expect((await panel.get(ME, token)).body.error?.code).toBe('token_expired');
        const unchanged = { ...record, state: 'expired', readAt: expect.any(Number) };
        expect(await panel.api.tokens.get(record.id)).toEqual(unchanged);
        expect(await panel.api.audit.list({ tokenId: record.id })).toHaveLength(1);
      },
    );

    test('creates no other token', async () => {
      expect(await panel.api.tokens.list()).toHaveLength(changes.length);
    });
  });
});
