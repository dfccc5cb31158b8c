import { fstatSync, statSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { Command } from 'commander';
import type { Installation } from '../lib/Installation';
import type { CreatedToken } from '../lib/tokens/createToken';
import { cliAuthor } from './author';
import { CommandFailure } from './exit';
import { print, printJson, printNote, safeLines } from './output';
import { creationTimeoutMs, databaseTimeoutMs } from './timeouts';
import { withDatabaseTimeout, withInstallation } from './withInstallation';

/** Runs a task that creates and shows a token, if standard output can show it. Signals cannot interrupt the task. */
export async function withNewToken(
  command: Command,
  task: (installation: Installation, show: ShowToken) => Promise<void>,
): Promise<void> {
  // Node.js replaces a closed standard output with /dev/null.
  if (fstatSync(1).rdev === statSync('/dev/null').rdev) {
    throw new CommandFailure(
      'output',
      'Standard output is closed or /dev/null, so the new token would be lost.',
    );
  }
  const run = async (installation: Installation, { json = false }): Promise<undefined> => {
    await deferSignals(() =>
      task(installation, (created, shown) => showToken(installation, created, shown, json)),
    );
  };
  await withInstallation(command, run, { timeoutMs: creationTimeoutMs });
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function deferSignals(task: () => Promise<void>): Promise<void> {
  const ignore = () => undefined;
  for (const signal of SIGNALS) process.on(signal, ignore);
  try {
    await task();
  } finally {
    for (const signal of SIGNALS) process.off(signal, ignore);
  }
}

/** Shows a new token. If that fails, revokes it and throws a CommandFailure. */
type ShowToken = (created: CreatedToken, shown: Shown) => Promise<void>;

interface Shown {
  /** Further output for people, without line ends. */
  readonly about: string;
  /** Further output for scripts. */
  readonly json: object;
  /** A sentence to add to the failure if the token could not be shown. */
  readonly unlessShown?: string;
}

async function showToken(
  { tokens }: Installation,
  { token, record }: CreatedToken,
  { about, json, unlessShown = '' }: Shown,
  asJson: boolean,
): Promise<void> {
  try {
    if (asJson) printJson({ token, ...json }, 'must read');
    else printToken(token, about);
  } catch {
    const revoked = await withDatabaseTimeout(tokens.revoke(record.id, cliAuthor()), databaseTimeoutMs).catch(
      () => null,
    );
    const end = revoked
      ? 'It was revoked.'
      : `It could not be revoked either: run panel-api token revoke ${record.id}.`;
    throw new CommandFailure('output', `The new token could not be shown. ${end} ${unlessShown}`.trim());
  }
}

function printToken(token: string, about: string): void {
  const warning = 'Store the token now: it cannot be shown again.';
  if (isatty(1)) print(safeLines(`${token}\n\n${about}\n${warning}`), 'must read');
  else {
    // Scripts read the token and nothing else.
    print(token, 'must read');
    printNote(`${about} ${warning}`);
  }
}
