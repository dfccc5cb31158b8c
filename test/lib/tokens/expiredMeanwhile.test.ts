import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidInput, type TokenRecord } from '../../../index';
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

describeEachEngine('A token that expires during', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;
  let token: string;
  let record: TokenRecord;

  beforeEach(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex, deadlineMs: 20_000 });
    const request = { name: 'test', scopes: ['*'], expiresInSeconds: 2 };
    ({ token, record } = await panel.api.tokens.create(request, AUTHOR));
  });

  const outcome = async () => (await panel.get(ME, token)).body.error?.code;

  const untilExpired = async () => {
    while (Date.now() < record.expiresAt! * 1000) await sleep(50);
  };

  /** Expects that the change is refused, and that nothing is written. */
  const expectRefused = async (changing: Promise<unknown>) => {
    const error = (await changing.catch((reason) => reason)) as InvalidInput;
    expect(error).toBeInstanceOf(InvalidInput);
    expect([error.input, error.message]).toEqual(['id', expect.stringContaining('is expired')]);
    expect(await outcome()).toBe('token_expired');
    const unchanged = { ...record, state: 'expired', readAt: expect.any(Number) };
    expect(await panel.api.tokens.list()).toEqual([unchanged]);
    expect(await panel.api.audit.list()).toHaveLength(1);
  };

  test.each([...CHANGES, ...ROTATIONS])('%s that waits for a lock stays expired', async (_name, change) => {
    const holder = await openHandle(handleSettings(database)).transaction();
    await holder(TABLE).where({ id: record.id }).update({ prefix: record.prefix });
    const changing = change(panel.api.tokens, record.id);
    changing.catch(() => undefined);
    await untilExpired();
    await holder.commit();
    await expectRefused(changing);
  });

  test.each(CHANGES)('%s whose statement arrives late stays expired', async (_name, change) => {
    const { client } = database.knex;
    const query = client._query;
    client._query = async (connection: unknown, sent: { readonly sql: string }) => {
      if (/^update .*version/i.test(plainSql(sent.sql))) await untilExpired();
      return query.call(client, connection, sent);
    };
    await expectRefused(change(panel.api.tokens, record.id));
  });
});
