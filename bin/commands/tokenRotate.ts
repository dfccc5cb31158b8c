import type { Command } from 'commander';
import { InvalidInput } from '../../lib/errors/InvalidInput';
import type { Installation } from '../../lib/Installation';
import { rfc3339OfSeconds } from '../../lib/time/time';
import type { RotatedToken, RotationRequest } from '../../lib/tokens/rotateToken';
import { parseGrace, parseId } from '../arguments';
import { cliAuthor } from '../author';
import { creationPatienceMs } from '../connect';
import { CommandFailure, unknownToken } from '../exit';
import { refuseDiscarded } from '../output';
import { deferSignals, showToken, tokenJson } from '../token';
import { withInstallation } from '../withInstallation';

interface RotateOptions {
  readonly grace: string;
}

export function tokenRotate(token: Command): void {
  token
    .command('rotate')
    .description('replace a token by a new one that may do the same; it is shown this once')
    .argument('<id>')
    .option('--grace <duration>', 'how long the old one is still good: 0, 30m, 12h, 7d, at most 30d', '24h')
    .action(rotate);
}

async function rotate(text: string, { grace }: RotateOptions, command: Command): Promise<void> {
  const id = parseId(text);
  const request = { graceSeconds: parseGrace(grace) };
  refuseDiscarded();
  await withInstallation(command, {
    tables: true,
    patience: creationPatienceMs,
    run: (installation, json) => deferSignals(() => rotateAndShow(installation, id, request, json)),
  });
}

// The old token ends only after the new one was shown: if that fails, or the process dies, it is good as before.
async function rotateAndShow(
  installation: Installation,
  id: number,
  request: RotationRequest,
  json: boolean,
): Promise<void> {
  const { tokens } = installation;
  const rotated = await tokens.beginRotation(id, request, cliAuthor());
  if (!rotated) throw unknownToken(id);
  const { record, previous } = rotated;
  await showToken(installation, rotated, {
    about: aboutOf(rotated),
    json: json ? { ...tokenJson(record), previous: tokenJson(previous) } : null,
    unlessShown: `Token ${id} is as it was.`,
  });
  try {
    await tokens.endRotation(rotated, request, cliAuthor());
  } catch (error) {
    await explain(installation, rotated, error);
  }
}

async function explain({ tokens }: Installation, { record, previous }: RotatedToken, error: unknown) {
  if (error instanceof InvalidInput) {
    await tokens.revoke(record.id, cliAuthor());
    throw new InvalidInput('id', `${error.message} Token ${record.id} was revoked.`);
  }
  const { id } = previous;
  throw new CommandFailure(
    'database',
    `Token ${record.id} is valid, but the end of token ${id} could not be confirmed: panel-api token show ${id} shows its state, panel-api token revoke ${id} ends it.`,
  );
}

function aboutOf({ record, previous }: RotatedToken): string {
  const end =
    previous.state === 'active' && previous.expiresAt !== null
      ? `is good until ${rfc3339OfSeconds(previous.expiresAt)}`
      : 'is no longer good';
  return `Token ${record.id} replaces token ${previous.id}, which ${end}.`;
}
