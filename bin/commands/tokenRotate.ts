import type { Command } from 'commander';
import type { Installation } from '../../lib/Installation';
import { rfc3339OfSeconds } from '../../lib/time/rfc3339';
import type { RotationRequest } from '../../lib/tokens/checkRotation';
import type { RotatedToken } from '../../lib/tokens/rotateToken';
import { cliAuthor } from '../cliAuthor';
import { holdSignals } from '../holdSignals';
import { inTime } from '../inTime';
import { parseGrace } from '../parseGrace';
import { parseId } from '../parseId';
import { patienceMs } from '../patience';
import { refuseDiscarded } from '../refuseDiscarded';
import { showToken } from '../showToken';
import { tokenJson } from '../tokenJson';
import { unknownToken } from '../unknownToken';
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
    // Time enough to revoke the new one again.
    patience: 2 * patienceMs,
    run: (installation, json) => holdSignals(() => rotateAndShow(installation, id, request, json)),
  });
}

async function rotateAndShow(
  installation: Installation,
  id: number,
  request: RotationRequest,
  json: boolean,
): Promise<void> {
  const rotated = await inTime(installation.tokens.rotate(id, request, cliAuthor()), patienceMs);
  if (!rotated) throw unknownToken(id);
  const { record, previous } = rotated;
  await showToken(installation, rotated, {
    about: aboutOf(rotated),
    json: json ? { ...tokenJson(record), previous: tokenJson(previous) } : null,
  });
}

function aboutOf({ record, previous }: RotatedToken): string {
  const end =
    previous.state === 'active' && previous.expiresAt !== null
      ? `is good until ${rfc3339OfSeconds(previous.expiresAt)}`
      : 'is no longer good';
  return `Token ${record.id} replaces token ${previous.id}, which ${end}.`;
}
