import { setTimeout as sleep } from 'node:timers/promises';
import { engines, freshDatabase, type TestDatabase } from '../fixture/databases';
import { type HostProcess, startHost } from '../fixture/processes/hostProcess';
import { figure } from './figure';
import { isWhole, scaled } from './scale';

const ME = '/api/v1/me.php';
const TOKENS = scaled({ fast: 2, full: 50 });
const LATE_CHANGES = scaled({ fast: 2, full: 20 });
const LIFE_SECONDS = 3;
const ZONES = ['UTC', 'Asia/Tokyo', 'America/New_York', 'Europe/Berlin'];
/** When summer time begins in the last of the zones. By the clock of that process, the tokens expire then. */
const SUMMER_TIME_SECONDS = Date.UTC(2026, 2, 29, 1) / 1000;
/** The clients ask so often. */
const PAUSE_MS = 20;
/** The smallest distance from the end of a token's life at which an answer must be right. */
const CLOCK_MS = 1;

// The tests in test/lib/tokens/clocks.test.ts hold the times of tokens on every database.
describe.each(isWhole ? engines : (['mariadb'] as const))('A token that expires (%s)', (engine) => {
  test('is served until its last second and refused from then on, in four time zones, one of which changes to summer time', async () => {
    const database = await freshDatabase(engine);
    const options = { rateLimit: { requests: 1_000_000 } };
    const hosts = await Promise.all(ZONES.map((TZ) => startHost(database, { options, env: { TZ } })));
    const uses: Use[] = [];
    for (let done = 0; done < TOKENS; done += 10) {
      const together = Array.from({ length: Math.min(10, TOKENS - done) }, () => useUntilExpired(hosts));
      uses.push(...(await Promise.all(together)).flat());
    }
    const before = uses.filter(({ answeredMs, endMs }) => answeredMs <= endMs - CLOCK_MS);
    const after = uses.filter(({ sentMs, endMs }) => sentMs >= endMs + CLOCK_MS);
    figure(`${engine}: requests before the expiry, after it`, `${before.length}, ${after.length}`);
    expect(new Set(before.map(({ outcome }) => outcome))).toEqual(new Set(['200']));
    expect(new Set(after.map(({ outcome }) => outcome))).toEqual(new Set(['401 token_expired']));
    for (const near of [before, after]) {
      const zones = near
        .filter(({ sentMs, endMs }) => Math.abs(sentMs - endMs) < 1000)
        .map(({ zone }) => zone);
      expect(new Set(zones)).toEqual(new Set(ZONES));
    }
  });

  test('stays expired although a later expiry is sent around its last second, behind a lock', async () => {
    const database = await freshDatabase(engine);
    const options = { rateLimit: { requests: 1_000_000 } };
    const hosts = await Promise.all([startHost(database, { options }), startHost(database, { options })]);
    const counts = { extended: 0, refused: 0 };
    for (let done = 0; done < LATE_CHANGES; done += 1) {
      const { wasExtended, outcomes } = await extendLate(database, hosts);
      counts[wasExtended ? 'extended' : 'refused'] += 1;
      expect(new Set(outcomes)).toEqual(new Set([wasExtended ? '200' : '401 token_expired']));
    }
    figure(
      `${engine}: extensions around the expiry, done and refused`,
      `${counts.extended}, ${counts.refused}`,
    );
    if (isWhole) expect(counts.refused).toBeGreaterThan(0);
  });
});

/** The change is sent so long before the expiry, and the lock is released so long before or after it, at most. */
const AROUND_MS = 400;
/** A change that is stored just before the expiry may be committed just after it. */
const COMMIT_MS = 100;

/** Sends a later expiry around that of a new token, whose row is locked. Returns the outcomes of its requests after it. */
async function extendLate(
  { knex }: TestDatabase,
  [changer, other]: readonly HostProcess[],
): Promise<{ readonly wasExtended: boolean; readonly outcomes: readonly string[] }> {
  const { token, record } = await changer!.create({ expiresInSeconds: LIFE_SECONDS });
  const endMs = record.expiresAt! * 1000;
  const change = async () => {
    await sleep(endMs - Date.now() - Math.random() * AROUND_MS);
    return changer!.update(record.id, { expiresAt: record.expiresAt! + 60 }).then(
      () => true,
      () => false,
    );
  };
  const lock = async () => {
    await sleep(endMs - Date.now() - 2 * AROUND_MS);
    const holder = await knex.transaction();
    await holder('panel_api_tokens').where({ id: record.id }).update({ prefix: record.prefix });
    await sleep(endMs - Date.now() + (2 * Math.random() - 1) * AROUND_MS);
    await holder.rollback();
  };
  const outcomes: string[] = [];
  const use = async () => {
    await sleep(endMs - Date.now() + COMMIT_MS);
    while (Date.now() < endMs + 2 * AROUND_MS) {
      const { status, body } = await other!.get(ME, token);
      outcomes.push([status, body.error?.code].filter(Boolean).join(' '));
    }
  };
  const [wasExtended] = await Promise.all([change(), lock(), use()]);
  return { wasExtended, outcomes };
}

interface Use {
  readonly zone: string;
  readonly outcome: string;
  readonly sentMs: number;
  readonly answeredMs: number;
  /** When the token expires, by the same clock. */
  readonly endMs: number;
}

/** Uses a new token in every process until a second after its expiry. The database has this machine's clock. */
async function useUntilExpired(hosts: readonly HostProcess[]): Promise<readonly Use[]> {
  const { token, record } = await hosts[0]!.create({ expiresInSeconds: LIFE_SECONDS });
  const endMs = record.expiresAt! * 1000;
  await hosts.at(-1)!.skewClock(SUMMER_TIME_SECONDS - record.expiresAt!);
  const uses: Use[] = [];
  const client = async (index: number) => {
    while (Date.now() < endMs + 1000) {
      const sentMs = Date.now();
      const { status, body } = await hosts[index]!.get(ME, token);
      const outcome = [status, body.error?.code].filter(Boolean).join(' ');
      uses.push({ zone: ZONES[index]!, outcome, sentMs, answeredMs: Date.now(), endMs });
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(hosts.map((_, index) => client(index)));
  return uses;
}
