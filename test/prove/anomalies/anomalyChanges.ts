import { join } from 'node:path';
import { DatabaseFailure } from '../../../lib/database/DatabaseFailure';
import { CONFIGURATIONS, panelApi } from '../../fixture/command/panelApi';
import { openHandle, type TestDatabase } from '../../fixture/databases';
import { type Fault, settle } from '../../fixture/faults/OutsideCalls';
import { handleSettings } from '../../fixture/handleSettings';
import { AUTHOR } from '../../fixture/panel';
import { statusesOf } from './anomalyAttempts';
import type { Attempt, Outcome } from './anomalyLoop';
import { type AnomalyPanel, repeated } from './anomalyPanel';

export type Change = 'create' | 'rotate' | 'revoke' | 'update' | 'settings';

type Rows = TestDatabase['knex'];

/** The name of a token after an update. */
export const RENAMED = 'renamed';

const DEFAULT_DAYS = 90;

const active = (rows: Rows) => count(rows('panel_api_tokens').whereNull('revoked_at'));
const renamed = (rows: Rows) => count(rows('panel_api_tokens').where({ name: RENAMED }));
/** The setting that each change makes a day longer. */
const expiryDays = async (rows: Rows) => {
  const [row] = await rows('panel_api_settings').where({ name: 'default_expiry_days' });
  return Number(row?.value ?? DEFAULT_DAYS);
};

/** What is counted before and after each change, and how much more it is. */
const COUNTED: Readonly<Record<Change, readonly [(rows: Rows) => Promise<number>, number]>> = {
  create: [active, 1],
  rotate: [active, 1],
  revoke: [active, -1],
  update: [renamed, 1],
  settings: [expiryDays, 1],
};

const COMMANDS: Readonly<Record<CommandChange, (id: number) => readonly string[]>> = {
  create: () => ['token', 'create', '--name', 'test', '--scope', '*'],
  rotate: (id) => ['token', 'rotate', String(id), '--grace', '1h'],
  revoke: (id) => ['token', 'revoke', String(id)],
};

/** Exit codes, as the statuses of a request. 4: the tables are not as they must be. */
const EXITS: Readonly<Record<number, number>> = { 0: 200, 3: 503, 4: 500, 70: 500 };

/** The outcome of a change. `isUnknown`: it says that it is unknown whether a part of the change was carried out. */
interface Changed extends Outcome {
  readonly isUnknown: boolean;
}

/** The changes that are also tried by the command. */
type CommandChange = 'create' | 'rotate' | 'revoke';

/** A change of a token or a setting by the panel. It has no log line. */
export function changeOf(world: AnomalyPanel, change: Change): Attempt {
  const { tokens, settings } = world.panel.api;
  const changes: Readonly<Record<Change, (id: number, days: number) => Promise<unknown>>> = {
    create: () => tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR),
    rotate: (id) => tokens.rotate(id, { graceSeconds: 300 }, AUTHOR),
    revoke: (id) => tokens.revoke(id, AUTHOR),
    update: (id) => tokens.update(id, { name: RENAMED }, AUTHOR),
    settings: (_id, days) => settings.change({ defaultExpiryDays: days }, AUTHOR),
  };
  return attemptOf(world, change, (id, _fault, days) =>
    changes[change](id, days).then(
      () => ({ status: 200, isUnknown: false, problems: world.unexpected() }),
      (error) => {
        const isExpected = error instanceof DatabaseFailure;
        const shown = isExpected ? world.shown(`${error.stack}${JSON.stringify(error)}`) : [];
        return {
          status: isExpected ? 503 : 500,
          isUnknown: isExpected && ['COMMIT_UNKNOWN', 'COMMIT_UNANSWERED'].includes(error.code),
          problems: [...shown, ...world.unexpected()],
        };
      },
    ),
  );
}

/** The same by the command, in a process of its own. */
export function commandOf(world: AnomalyPanel, change: CommandChange): Attempt {
  const { engine } = world.database;
  let met = false;
  const attempt = attemptOf(world, change, async (id, fault) => {
    const failing = JSON.stringify({ engine, settings: handleSettings(world.database), fault });
    const { code, stdout, stderr } = await panelApi(
      '',
      ['--config', join(CONFIGURATIONS, 'failing.cjs'), ...COMMANDS[change](id)],
      { env: { TEST_FAILING: failing } },
    );
    met = /^The fault was met\.$/m.test(stderr);
    const problems = world.shown(stdout + stderr);
    const token = /^\S+$/m.exec(stdout)?.[0];
    if (code === 0 && change !== 'revoke') {
      const { status } = await world.panel.get('/api/v1/me.php', token);
      if (status !== 200) problems.push(`the token that is printed gets ${status}`);
    }
    if (/^\s+at .*:\d+:\d+/m.test(stderr)) problems.push(`it prints a stack: ${stderr}`);
    return { status: EXITS[code ?? -1] ?? 0, isUnknown: /it is unknown/i.test(stderr), problems };
  });
  return { ...attempt, calls: { arm: () => undefined, disarm: () => met } };
}

/**
 * A change of a new token or a setting, after which the database must hold either all of it or nothing. `days` is the
 * new value of the setting.
 */
export function attemptOf(
  world: AnomalyPanel,
  change: Change,
  make: (id: number, fault: Fault | null, days: number) => Promise<Changed>,
): Attempt {
  const { calls, database, panel } = world;
  const rows = openHandle(handleSettings(database));
  const [counted, more] = COUNTED[change];
  return {
    ...world,
    make: async (fault) => {
      const { record } = await calls.spare(() =>
        repeated(() => panel.api.tokens.create({ name: 'changed', scopes: ['*'] }, AUTHOR)),
      );
      const before = await counted(rows);
      const days = (await expiryDays(rows)) + 1;
      const { isUnknown, ...outcome } = await make(record.id, fault, days);
      const isDone = outcome.status === 200;
      // A revocation also fails if its result cannot be read afterwards. Without the token's row, there is none to revoke.
      const isOpen = isUnknown || (change === 'revoke' && (!isDone || fault?.way.startsWith('answers')));
      const wanted = isOpen ? [0, more] : [isDone ? more : 0];
      const added = async () => (await counted(rows)) - before;
      // The answer may precede the end of the change.
      for (let tries = 0; tries < 200 && !wanted.includes(await added()); tries += 1) await settle();
      const problems = [...outcome.problems, ...(await unaudited(rows))];
      if (!wanted.includes(await added())) problems.push(`${outcome.status} adds ${await added()}`);
      return { ...outcome, problems };
    },
    // No token is made without randomness.
    statuses: (fault) => (fault.outside === 'random' ? [500] : statusesOf(fault, false)),
  };
}

/** Returns a problem for each kind of change that has more or fewer audit entries. */
async function unaudited(rows: TestDatabase['knex']): Promise<string[]> {
  const changed = {
    'token.created': await count(rows('panel_api_tokens')),
    'token.revoked': await count(rows('panel_api_tokens').whereNotNull('revoked_at')),
    'token.changed': await renamed(rows),
    'settings.changed': (await expiryDays(rows)) - DEFAULT_DAYS,
  };
  const problems: string[] = [];
  for (const [action, changes] of Object.entries(changed))
    if (changes !== (await count(rows('panel_api_audit_log').where({ action }))))
      problems.push(`changes and audit entries ${action} differ`);
  return problems;
}

async function count(rows: { count(column: string): PromiseLike<unknown> }): Promise<number> {
  const [row] = (await rows.count('* as n')) as { n: number | string }[];
  return Number(row?.n);
}
