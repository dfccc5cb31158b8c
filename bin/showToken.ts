import { isatty } from 'node:tty';
import type { Installation } from '../lib/Installation';
import type { CreatedToken } from '../lib/tokens/makeToken';
import { CommandFailure } from './CommandFailure';
import { cliAuthor } from './cliAuthor';
import { inTime } from './inTime';
import { patienceMs } from './patience';
import { print, printJson, printNote } from './print';

interface Shown {
  /** What people are told beside the token. */
  readonly about: string;
  /** What scripts are given beside it. */
  readonly json: object | null;
  /** What the failure adds if the token could not be shown. */
  readonly unlessShown?: string;
}

/** Shows a new token this once, or revokes it where that fails. Throws a CommandFailure then. */
export async function showToken(
  installation: Installation,
  created: CreatedToken,
  shown: Shown,
): Promise<void> {
  try {
    show(created.token, shown);
  } catch {
    await takeBack(installation, created, shown);
  }
}

function show(token: string, { about, json }: Shown): void {
  const warning = 'It is shown this once and cannot be shown again.';
  if (json) printJson({ token, ...json });
  else if (isatty(1)) print(`${token}\n\n${about}\n${warning}`);
  else {
    // A script gets the token and nothing else.
    print(token);
    printNote(`${about} ${warning}`);
  }
}

async function takeBack(
  { tokens }: Installation,
  { record }: CreatedToken,
  { unlessShown = '' }: Shown,
): Promise<never> {
  const revoked = await inTime(tokens.revoke(record.id, cliAuthor()), patienceMs).catch(() => null);
  const end = revoked
    ? 'It was revoked.'
    : `It could not be revoked either: panel-api token revoke ${record.id} does it.`;
  throw new CommandFailure('output', `The token could not be shown. ${end} ${unlessShown}`.trim());
}
