import { join } from 'node:path';
import { DatabaseFailure } from '../../../lib/database/DatabaseFailure';
import { CONFIGURATIONS, panelApi } from '../../fixture/command/panelApi';
import { openHandle, type TestDatabase } from '../../fixture/databases';
import type { Fault } from '../../fixture/faults/OutsideCalls';
import { handleSettings } from '../../fixture/handleSettings';
import { AUTHOR } from '../../fixture/panel';
import { statusesOf } from './anomalyAttempts';
import type { Attempt, Outcome } from './anomalyLoop';
import type { AnomalyPanel } from './anomalyPanel';

export type Change = 'create' | 'rotate' | 'revoke';

/** How many more tokens are not revoked after each change. */
const ADDED: Readonly<Record<Change, number>> = { create: 1, rotate: 1, revoke: -1 };

const COMMANDS: Readonly<Record<Change, (id: number) => readonly string[]>> = {
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

/** A change of a token by the panel. It has no log line. */
export function changeOf(world: AnomalyPanel, change: Change): Attempt {
  const { tokens } = world.panel.api;
  const changes: Readonly<Record<Change, (id: number) => Promise<unknown>>> = {
    create: () => tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR),
    rotate: (id) => tokens.rotate(id, { graceSeconds: 60 }, AUTHOR),
    revoke: (id) => tokens.revoke(id, AUTHOR),
  };
  return attemptOf(world, change, (id) =>
    changes[change](id).then(
      () => ({ status: 200, isUnknown: false, problems: world.unexpected() }),
      (error) => {
        const isExpected = error instanceof DatabaseFailure;
        const shown = isExpected ? world.shown(`${error.stack}${JSON.stringify(error)}`) : [];
        return {
          status: isExpected ? 503 : 500,
          isUnknown: isExpected && error.code === 'COMMIT_UNKNOWN',
          problems: [...shown, ...world.unexpected()],
        };
      },
    ),
  );
}

/** The same by the command, in a process of its own. */
export function commandOf(world: AnomalyPanel, change: Change): Attempt {
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

/** A change of a new token, after which the database must hold either all of it or nothing. */
function attemptOf(
  world: AnomalyPanel,
  change: Change,
  make: (id: number, fault: Fault | null) => Promise<Changed>,
): Attempt {
  const { calls, database, panel } = world;
  const rows = openHandle(handleSettings(database));
  const active = () => count(rows('panel_api_tokens').whereNull('revoked_at'));
  return {
    ...world,
    make: async (fault) => {
      const { record } = await calls.spare(() =>
        panel.api.tokens.create({ name: 'changed', scopes: ['*'] }, AUTHOR),
      );
      const before = await active();
      const { isUnknown, ...outcome } = await make(record.id, fault);
      const added = (await active()) - before;
      const isDone = outcome.status === 200;
      // A revocation also fails if its result cannot be read afterwards. Without the token's row, there is none to revoke.
      const isOpen = isUnknown || (change === 'revoke' && (!isDone || fault?.way.startsWith('answers')));
      const wanted = isOpen ? [0, ADDED[change]] : [isDone ? ADDED[change] : 0];
      const problems = [...outcome.problems, ...(await unaudited(rows))];
      if (!wanted.includes(added)) problems.push(`${outcome.status} adds ${added} active tokens`);
      return { ...outcome, problems };
    },
    // No token is made without randomness.
    statuses: (fault) => (fault.outside === 'random' ? [200, 500, 503] : statusesOf(fault, false)),
  };
}

/** Returns a problem for each change of tokens that has more or fewer audit entries. */
async function unaudited(rows: TestDatabase['knex']): Promise<string[]> {
  const changed = {
    'token.created': rows('panel_api_tokens'),
    'token.revoked': rows('panel_api_tokens').whereNotNull('revoked_at'),
  };
  const problems: string[] = [];
  for (const [action, tokens] of Object.entries(changed))
    if ((await count(tokens)) !== (await count(rows('panel_api_audit_log').where({ action }))))
      problems.push(`tokens and audit entries ${action} differ`);
  return problems;
}

async function count(rows: { count(column: string): PromiseLike<unknown> }): Promise<number> {
  const [row] = (await rows.count('* as n')) as { n: number | string }[];
  return Number(row?.n);
}
