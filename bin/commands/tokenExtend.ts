import type { Command } from 'commander';
import { rfc3339OfSeconds } from '../../lib/time/time';
import type { Expiry } from '../../lib/tokens/checkTokenRequest';
import { cliAuthor } from '../author';
import { parseId, tokenJson, unknownToken } from '../token';
import { defaultExpiry, EXPIRY_FORMS, parseExpiryOrNever } from '../tokenOptions';
import { withInstallation } from '../withInstallation';

export function tokenExtend(token: Command): void {
  token
    .command('extend')
    .description('give an active token a later expiry')
    .argument('<id>', 'id of the token', parseId)
    .option(
      '--expires <when>',
      `${EXPIRY_FORMS}; a duration counts from now (default: the setting default_expiry_days)`,
      parseExpiryOrNever,
    )
    .action(extend);
}

async function extend(id: number, options: { readonly expires?: Expiry }, command: Command): Promise<void> {
  await withInstallation(command, async ({ tokens, settings }) => {
    const record = await tokens.extend(id, options.expires ?? (await defaultExpiry(settings)), cliAuthor());
    if (!record) throw unknownToken(id);
    const expiry =
      record.expiresAt === null ? 'never expires' : `expires at ${rfc3339OfSeconds(record.expiresAt)}`;
    return { json: tokenJson(record), text: `Token ${id} (${record.name}) ${expiry}.` };
  });
}
