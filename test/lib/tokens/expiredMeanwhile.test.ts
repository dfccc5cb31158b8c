import { setTimeout as sleep } from 'node:timers/promises';
import { type CreatedToken, InvalidInput } from '../../../index';
import { describeEachEngine, freshDatabase, openHandle, type TestDatabase } from '../../fixture/databases';
import { delayStatement } from '../../fixture/delayStatement';
import { handleSettings } from '../../fixture/handleSettings';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

const ME = '/api/v1/me.php';
const TABLE = 'panel_api_tokens';
const DAY = 86_400;

type Change = readonly [name: string, (tokens: TestPanel['api']['tokens'], id: number) => Promise<unknown>];

const CHANGES: readonly Change[] = [
  ['an extension', (tokens, id) => tokens.extend(id, { expiresInSeconds: DAY }, AUTHOR)],
  ['a change of its expiry', (tokens, id) => tokens.update(id, { expiresAt: null }, AUTHOR)],
  ['a change of its name', (tokens, id) => tokens.update(id, { name: 'other' }, AUTHOR)],
];
const ROTATION: Change = ['a rotation', (tokens, id) => tokens.rotate(id, { graceSeconds: DAY }, AUTHOR)];

/**
 * Holds back what the changes write until `untilExpired` has resolved. Returns what ends that, and returns false if the
 * tokens had expired before anything was held back.
 */
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

const LOCKS = {
  mariadb: (table: string) => [`LOCK TABLES ${table} WRITE`, 'UNLOCK TABLES'],
  postgresql: (table: string) => [`BEGIN; LOCK TABLE ${table}`, 'COMMIT'],
  sqlite: () => ['BEGIN EXCLUSIVE', 'COMMIT'],
} as const;

const lockTable =
  (table: string): HoldBack =>
  async (database) => {
    const [lock, unlock] = LOCKS[database.engine](table);
    const holder = openHandle({ ...handleSettings(database), pool: { min: 1, max: 1 } });
    await holder.raw(lock!);
    return () => holder.raw(unlock!);
  };

/** The statement with this position in its transaction is late. */
const delay =
  (position: number): HoldBack =>
  async ({ knex }, _created, untilExpired) => {
    const isDelayed = delayStatement(knex, position, untilExpired);
    return async () => isDelayed();
  };

/** Each statement of a change: it locks the token, reads it, changes it, writes the audit entry and reads the clock. */
const OF_A_CHANGE = [0, 1, 2, 3, 4];
/** Of a rotation: it stores the new token, reads it, and writes its audit entry too. */
const OF_A_ROTATION = [...OF_A_CHANGE, 5, 6, 7];

interface Wait {
  readonly name: string;
  readonly changes: readonly Change[];
  readonly holdBack: HoldBack;
}

const late = (position: number, ...changes: readonly Change[]): Wait => ({
  name: `${changes.map(([name]) => name).join(' and ')} whose statement ${position} is late`,
  changes,
  holdBack: delay(position),
});

const ALL = [...CHANGES, ROTATION];
const WAITS: readonly Wait[] = [
  { name: 'changes that wait for its row', changes: ALL, holdBack: lockRows },
  { name: 'changes that wait for the tokens', changes: ALL, holdBack: lockTable(TABLE) },
  { name: 'changes that wait for the audit trail', changes: ALL, holdBack: lockTable('panel_api_audit_log') },
  // On SQLite, the second of two changes would wait for the first.
  ...OF_A_CHANGE.flatMap((position) => [late(position, CHANGES[0]!), late(position, CHANGES[2]!)]),
  ...OF_A_ROTATION.map((position) => late(position, ROTATION)),
];

/** How long the tokens live at first. */
const LIFE_SECONDS = 4;

interface Changed {
  readonly panel: TestPanel;
  readonly created: readonly CreatedToken[];
  readonly endings: readonly unknown[];
  /** How many tokens there were before them. */
  readonly before: number;
}

/** Creates the tokens, and changes each while the change is held back until they have expired. */
async function changeDuring(
  wait: Wait,
  panel: TestPanel,
  database: TestDatabase,
  life = LIFE_SECONDS,
): Promise<Changed> {
  const { changes, holdBack } = wait;
  const { tokens } = panel.api;
  const before = (await tokens.list()).length;
  const request = { name: 'test', scopes: ['*'], expiresInSeconds: life };
  const created = await Promise.all(changes.map(() => tokens.create(request, AUTHOR)));
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
  const isHeldBack = (await goOn()) !== false;
  const endings = await changing;
  // A busy machine may take long until the statement.
  if (!isHeldBack) return changeDuring(wait, panel, database, 2 * life);
  return { panel, created, endings, before };
}

describeEachEngine('A token that expires during', (engine) => {
  let results: readonly Changed[];

  beforeAll(async () => {
    const databases = await Promise.all(WAITS.map(() => freshDatabase(engine)));
    const panels = await Promise.all(
      databases.map(({ knex }) => startPanel({ db: knex, deadlineMs: 20_000 })),
    );
    await Promise.all(panels.map(({ api }) => api.tokens.list()));
    results = await Promise.all(WAITS.map((wait, at) => changeDuring(wait, panels[at]!, databases[at]!)));
  }, 300_000);

  describe.each(WAITS.map((wait, at) => ({ ...wait, at })))('$name', ({ changes, at }) => {
    test.each(changes.map(([name], index) => [name, index] as const))(
      '%s is refused and writes nothing',
      async (_name, index) => {
        const { panel, created, endings } = results[at]!;
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
      const { panel, before } = results[at]!;
      expect(await panel.api.tokens.list()).toHaveLength(before + changes.length);
    });
  });
});
