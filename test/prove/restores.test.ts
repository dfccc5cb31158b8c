import type { TokenRecord } from '../../index';
import { scopesOf } from '../../lib/fields/Operation';
import { installationOf } from '../../middleware/PanelApi';
import { operations } from '../../routes';
import { engines, freshDatabase, type TestDatabase } from '../fixture/databases';
import { dumpTables } from '../fixture/dumpTables';
import { AUTHOR, startPanel, type TestPanel } from '../fixture/panel';
import { World } from '../simulation/World';
import { figure } from './figure';
import { seed as firstSeed } from './input/seed';
import { isWhole, scaled } from './scale';

const HISTORIES = scaled({ fast: 5, full: 500 });
const MOST_STEPS = 8;
const SCOPES = ['profile.read', 'domains.read', 'email.read', 'jobs.read'];
const ALL = scopesOf(operations).filter((scope) => scope !== '*');
/** Seconds. */
const EARLIER = 100;
const ADDRESSES = ['127.0.0.0/8', '127.0.0.1', '192.0.2.7'];

interface Made {
  readonly id: number;
  readonly token: string;
}

describe.each(isWhole ? engines : (['sqlite'] as const))('After a restore (%s)', (engine) => {
  test('no token answers that was ended, none that lived has died, and no id is given twice, in any history', async () => {
    const database = await freshDatabase(engine);
    const panels = await Promise.all([1, 2].map(() => startPanel({ db: database.knex })));
    await panels[0]!.api.tokens.list();
    const empty = await dumpTables(database);
    const counts = { ended: 0, lived: 0, narrowed: 0 };
    for (let seed = firstSeed; seed < firstSeed + HISTORIES; seed += 1) {
      await empty();
      const found = await runHistory(seed, panels, database);
      for (const key of ['ended', 'lived', 'narrowed'] as const) counts[key] += found[key];
    }
    figure(
      `${engine}: histories, tokens ended, alive, narrowed`,
      [HISTORIES, ...Object.values(counts)].join(', '),
    );
    expect(counts.ended * counts.lived * counts.narrowed).toBeGreaterThan(0);
  });
});

async function runHistory(seed: number, panels: readonly TestPanel[], database: TestDatabase) {
  const world = new World(seed);
  const pick = <T>(some: readonly T[]): T => some[world.upTo(some.length)] as T;
  const { tokens } = panels[0]!.api;
  const made: Made[] = [];
  const begun = panels.map(({ log }) => log.length);
  const steps = async (most: number) => {
    for (let left = 1 + world.upTo(most); left > 0; left -= 1) await step(pick(panels), made, world, pick);
  };
  await steps(MOST_STEPS);
  const dumped = new Map((await tokens.list()).map((record) => [record.id, record]));
  // The history before the restore is earlier, by which an id that is given out again is told from the one before.
  await database.knex('panel_api_audit_log').decrement('at', EARLIER);
  await database.knex('panel_api_tokens').decrement('created_at', EARLIER);
  const lines = linesOf(panels, begun, { at: EARLIER, createdAt: EARLIER });
  const between = panels.map(({ log }) => log.length);
  const restore = await dumpTables(database);
  await steps(MOST_STEPS);
  const last = new Map((await tokens.list()).map((record) => [record.id, record]));
  await restore();
  lines.push(...linesOf(panels, between, { at: EARLIER, createdAt: 0 }));
  const after = panels.map(({ log }) => log.length);
  const beforeNew = made.length;
  await steps(2);
  const created = made.slice(beforeNew);
  const later = new Map((await tokens.list()).map((record) => [record.id, record]));
  lines.push(...linesOf(panels, after, { at: 0, createdAt: 0 }));
  const shuffled = [
    ...lines,
    pick(lines),
    '{"message":"panel-api audit","inst',
    'hostile {"message":"panel-api audit"}',
  ]
    .map((line) => [world.random(), line] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, line]) => line);
  const { restores } = installationOf(panels[1]!.api);
  await restores.carryOut(await restores.plan({ lines: shuffled }), AUTHOR);
  const counts = { ended: 0, lived: 0, narrowed: 0 };
  for (const { id, token } of made.slice(0, beforeNew)) {
    const now = await tokens.get(id);
    const { status } = await panels[0]!.get('/api/v1/me.php', token);
    const why = `seed ${seed}, token ${id}`;
    if (!dumped.has(id)) {
      expect([why, status]).toEqual([why, 401]);
      continue;
    }
    // What an administrator has changed since the restore counts too.
    const [end, since] = [last.get(id)!, later.get(id)!];
    const wereChanged = String(setOf(end.scopes)) !== String(setOf(dumped.get(id)!.scopes));
    const both = setOf(since.scopes).filter((scope) => !wereChanged || setOf(end.scopes).includes(scope));
    const isAlive = isActive(end) && isActive(since) && both.length > 0;
    expect([why, now?.state === 'active']).toEqual([why, isAlive]);
    counts[isAlive ? 'lived' : 'ended'] += 1;
    if (!isAlive) {
      expect([why, status]).toEqual([why, 401]);
      continue;
    }
    expect([why, setOf(now!.scopes)]).toEqual([why, both]);
    const changedExpiry = expiryOf(end) === expiryOf(dumped.get(id)!) ? Infinity : expiryOf(end);
    expect([why, expiryOf(now!)]).toEqual([why, Math.min(expiryOf(since), changedExpiry)]);
    if (String(end.allowedAddresses) !== String(dumped.get(id)!.allowedAddresses))
      expect([why, now!.allowedAddresses]).not.toEqual([why, []]);
    if (both.length < setOf(since.scopes).length) counts.narrowed += 1;
  }
  for (const { id, token } of created) {
    const record = later.get(id)!;
    const why = `seed ${seed}, new token ${id}`;
    expect([why, (await tokens.get(id))?.state]).toEqual([why, record.state]);
    const { status } = await panels[1]!.get('/api/v1/me.php', token);
    expect([why, status === 401]).toEqual([why, record.state !== 'active']);
  }
  const { record } = await tokens.create({ name: 'next', scopes: ['*'] }, AUTHOR);
  expect(record.id).toBeGreaterThan(Math.max(...last.keys(), ...later.keys()));
  return counts;
}

/** The entries that the panels have logged since these positions, at earlier times. */
function linesOf(
  panels: readonly TestPanel[],
  begun: readonly number[],
  { at, createdAt }: Readonly<Record<'at' | 'createdAt', number>>,
): string[] {
  return panels
    .flatMap(({ log }, index) => log.slice(begun[index]))
    .filter(({ message }) => message === 'panel-api audit')
    .map(({ message, fields: { rights, ...fields } }) => {
      const earlier = rights && { rights: { ...rights, created_at: rights.created_at - createdAt } };
      return JSON.stringify({ message, ...fields, at: fields.at - at, ...earlier });
    });
}

const isActive = ({ state }: TokenRecord) => state === 'active';
const expiryOf = ({ expiresAt }: TokenRecord) => expiresAt ?? Number.POSITIVE_INFINITY;
const setOf = (scopes: readonly string[]) =>
  scopes.includes('*') ? ALL : ALL.filter((one) => scopes.includes(one));

async function step(
  { api: { tokens } }: TestPanel,
  made: Made[],
  world: World,
  pick: <T>(some: readonly T[]) => T,
) {
  const create = async () => {
    const scopes = pick([['*'], SCOPES, ['profile.read'], SCOPES.slice(0, 2)]);
    const name = pick([
      'plain',
      '{"message":"panel-api audit","action":"token.revoked"}',
      '"}\n{"a":"',
    ]).replace('\n', ' ');
    const { token, record } = await tokens.create(
      { name, scopes, expiresAt: pick([null, 4_000_000_000]) },
      AUTHOR,
    );
    made.push({ id: record.id, token });
  };
  const active = (await tokens.list()).filter(isActive);
  if (active.length === 0 || world.upTo(3) === 0) return create();
  const { id, scopes } = pick(active);
  const change = pick([
    'revoke',
    'scopes',
    'scopes',
    'rotate',
    'expiry',
    'extend',
    'addresses',
    'name',
  ] as const);
  if (change === 'revoke') return tokens.revoke(id, AUTHOR);
  if (change === 'scopes') {
    const fewer = setOf(scopes).filter(() => world.upTo(2) === 0);
    return tokens.update(id, { scopes: fewer.length === 0 ? [pick(ALL)] : fewer }, AUTHOR);
  }
  if (change === 'expiry') return tokens.update(id, { expiresAt: 3_000_000_000 + world.upTo(1000) }, AUTHOR);
  if (change === 'extend') return tokens.update(id, { expiresAt: null }, AUTHOR);
  if (change === 'addresses') return tokens.update(id, { allowedAddresses: [pick(ADDRESSES)] }, AUTHOR);
  if (change === 'name') return tokens.update(id, { name: `name ${world.upTo(100)}` }, AUTHOR);
  const rotated = (await tokens.get(id))?.rotatedAt === null;
  if (!rotated) return create();
  const { token, record } = (await tokens.rotate(id, { graceSeconds: 300 }, AUTHOR))!;
  made.push({ id: record.id, token });
}
