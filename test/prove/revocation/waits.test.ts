import { setTimeout as sleep } from 'node:timers/promises';
import type { PanelApi } from '../../../index';
import { engines, freshDatabase, openHandle, type TestDatabase } from '../../fixture/databases';
import { delayStatement } from '../../fixture/delayStatement';
import { handleSettings } from '../../fixture/handleSettings';
import { AUTHOR, startPanel } from '../../fixture/panel';
import { figure } from '../figure';
import { isWhole, scaled } from '../scale';

const ME = '/api/v1/me.php';
const ROUNDS = scaled({ fast: 1, full: 4 });
const LIFE_SECONDS = 4;
const PAUSE_MS = 20;
/** The token is used so long after the change has ended. */
const AFTER_MS = 300;
const DAY = 86_400;

type Tokens = PanelApi['tokens'];
type Act = (tokens: Tokens, id: number) => Promise<unknown>;

/** The changes, with the number of statements of each before COMMIT. */
const CHANGES: Readonly<Record<string, readonly [statements: number, act: Act]>> = {
  'an extension': [5, (tokens, id) => tokens.extend(id, { expiresInSeconds: DAY }, AUTHOR)],
  'a new expiry': [5, (tokens, id) => tokens.update(id, { expiresAt: null }, AUTHOR)],
  'a new name': [5, (tokens, id) => tokens.update(id, { name: 'other' }, AUTHOR)],
  'a rotation': [8, (tokens, id) => tokens.rotate(id, { graceSeconds: DAY }, AUTHOR)],
};

type End = 'expires' | 'is revoked';
type Wait = readonly [change: string, statement: number, end: End];

const ALL_WAITS: readonly Wait[] = Object.entries(CHANGES).flatMap(([change, [statements]]) =>
  Array.from({ length: statements }, (_, statement) => statement).flatMap((statement) =>
    (['expires', 'is revoked'] as const).map((end) => [change, statement, end] as const),
  ),
);

const WAITS = isWhole ? ALL_WAITS : ALL_WAITS.filter((_, index) => index % 3 === 0);

/** The waits that are tried at once. A server has connections for about so many. */
const AT_ONCE = 14;
const GROUPS = Array.from({ length: ROUNDS }, () => WAITS)
  .flat()
  .flatMap((_, at, all) =>
    at % AT_ONCE === 0 ? [{ group: at / AT_ONCE, waits: all.slice(at, at + AT_ONCE) }] : [],
  );

describe.each(isWhole ? engines : (['mariadb'] as const))(
  'A token that ends during a change (%s)',
  (engine) => {
    const counts = { waits: 0, served: 0, refused: 0 };

    test.each(GROUPS)(
      'stays ended, whichever statement of the change waits for so long (group $group)',
      async ({ waits }) => {
        const broken: string[] = [];
        const databases = await Promise.all(waits.map(() => freshDatabase(engine)));
        const histories = await Promise.all(waits.map((wait, at) => endDuring(wait, databases[at]!)));
        for (const [at, outcomes] of histories.entries()) {
          const ended = outcomes.findIndex((outcome) => outcome.startsWith('401'));
          const revived = ended >= 0 && outcomes.slice(ended).includes('200');
          if (revived || !outcomes.at(-1)?.startsWith('401')) broken.push(`${waits[at]}: ${outcomes}`);
          counts.served += outcomes.filter((outcome) => outcome === '200').length;
          counts.refused += outcomes.filter((outcome) => outcome.startsWith('401')).length;
        }
        counts.waits += waits.length;
        expect(broken).toEqual([]);
        expect(counts.served).toBeGreaterThan(0);
      },
    );

    afterAll(() => {
      figure(`${engine}: statements of changes that waited until the token had ended`, counts.waits);
      figure(`${engine}: requests served before, refused after`, `${counts.served}, ${counts.refused}`);
    });
  },
);

/** Ends a token while a statement of a change waits. Returns the outcomes of its requests, through another handle. */
async function endDuring(
  [change, statement, end]: Wait,
  database: TestDatabase,
  life = LIFE_SECONDS,
): Promise<readonly string[]> {
  // A counter in the database would wait for the transaction on SQLite.
  const options = { deadlineMs: 20_000, rateLimit: { requests: 1_000_000, store: 'memory' as const } };
  const changer = await startPanel({ ...options, db: database.knex });
  const other = await startPanel({ ...options, db: openHandle(handleSettings(database)) });
  const request = { name: 'test', scopes: ['*'], expiresInSeconds: life };
  const { token, record } = await changer.api.tokens.create(request, AUTHOR);
  await other.get(ME, token);
  const hasExpired = async () => {
    while (Date.now() < record.expiresAt! * 1000) await sleep(PAUSE_MS);
    await sleep(2 * PAUSE_MS);
  };
  // With the row locked, the revocation returns only when the change has ended.
  let revoking: Promise<unknown> | undefined;
  const isRevoked = async () => {
    revoking = other.api.tokens.revoke(record.id, AUTHOR);
    await Promise.race([revoking, sleep(2 * AFTER_MS)]);
  };
  const isDelayed = delayStatement(database.knex, statement, end === 'expires' ? hasExpired : isRevoked);
  const outcomes: string[] = [];
  const stopping = new AbortController();
  const use = async () => {
    while (!stopping.signal.aborted) {
      const { status, body } = await other.get(ME, token);
      outcomes.push([status, body.error?.code].filter(Boolean).join(' '));
      await sleep(PAUSE_MS);
    }
  };
  const using = use();
  await CHANGES[change]![1](changer.api.tokens, record.id).catch(() => undefined);
  await revoking;
  await sleep(AFTER_MS);
  stopping.abort();
  await using;
  // A busy machine may take long until the statement.
  return isDelayed() ? outcomes : endDuring([change, statement, end], database, 2 * life);
}
