import type { Command } from 'commander';
import { InvalidInput } from '../../lib/errors/InvalidInput';
import { rfc3339OfSeconds } from '../../lib/time/time';
import type { Expiry } from '../../lib/tokens/checkTokenRequest';
import type { RotatedToken } from '../../lib/tokens/rotateToken';
import { cliAuthor } from '../author';
import { parseGrace } from '../durations';
import { CommandFailure } from '../exit';
import { parseId, tokenJson, unknownToken } from '../token';
import { EXPIRY_FORMS, parseExpiryOrNever } from '../tokenOptions';
import { withNewToken } from '../withNewToken';

interface RotateOptions {
  readonly grace: string;
  readonly expires?: Expiry;
}

export function tokenRotate(token: Command): void {
  token
    .command('rotate')
    .description('replace a token with a new one that has the same rights; the new token is shown only once')
    .argument('<id>', 'id of the token', parseId)
    .option('--grace <duration>', 'how long the old token stays valid: 0, 30m, 12h, 7d, at most 30d', '24h')
    .option(
      '--expires <when>',
      `expiry of the new token: ${EXPIRY_FORMS} (default: the expiry of the old one)`,
      parseExpiryOrNever,
    )
    .action(rotate);
}

// The old token is ended only after the new one was shown, so that it stays valid if that fails or the process dies.
async function rotate(id: number, { grace, expires }: RotateOptions, command: Command): Promise<void> {
  const request = { graceSeconds: parseGrace(grace), ...expires };
  await withNewToken(command, async ({ tokens }, show) => {
    const rotated = await tokens.beginRotation(id, request, cliAuthor());
    if (!rotated) throw unknownToken(id);
    const { record, previous } = rotated;
    await show(rotated, {
      about: aboutOf(rotated),
      json: { ...tokenJson(record), previous: tokenJson(previous) },
      unlessShown: `Token ${id} was not changed.`,
    });
    try {
      await tokens.endRotation(rotated, request, cliAuthor());
    } catch (error) {
      throw explained(error, rotated);
    }
  });
}

function aboutOf({ record, previous }: RotatedToken): string {
  const end =
    previous.state === 'active' && previous.expiresAt !== null
      ? `is valid until ${rfc3339OfSeconds(previous.expiresAt)}`
      : 'is no longer valid';
  return `Token ${record.id} replaces token ${previous.id}, which ${end}.`;
}

function explained(error: unknown, { record, previous }: RotatedToken): unknown {
  if (error instanceof InvalidInput) return error;
  const { id } = previous;
  return new CommandFailure(
    'database',
    `Token ${record.id} is valid, but it is unknown whether token ${id} was ended. Run panel-api token show ${id} to see its state, or panel-api token revoke ${id} to end it.`,
  );
}
