import type { Command } from 'commander';
import { rfc3339OfSeconds } from '../../lib/time/time';
import { leftOver } from '../../lib/tokens/tokenWarnings';
import { cliAuthor } from '../author';
import { parseId, tokenJson, unknownToken } from '../token';
import { withInstallation } from '../withInstallation';

export function tokenRevoke(token: Command): void {
  token
    .command('revoke')
    .description('revoke a token permanently')
    .argument('<id>', 'id of the token', parseId)
    .action(revoke);
}

async function revoke(id: number, _options: object, command: Command): Promise<void> {
  await withInstallation(command, async ({ tokens }) => {
    const record = await tokens.revoke(id, cliAuthor());
    if (!record) throw unknownToken(id);
    const left = leftOver(await tokens.lineage(id));
    const text = `Token ${id} (${record.name}) is revoked.`;
    if (!left) return { json: tokenJson(record), text };
    const ends = `expires at ${rfc3339OfSeconds(left.expiresAt)}: extend it, or create another token`;
    const alone = `Token ${left.id}, which was rotated, is the only one of its lineage that is left. It ${ends}.`;
    return { json: tokenJson(record), text: `${text} ${alone}` };
  });
}
