import type { Command } from 'commander';
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
    return { json: tokenJson(record), text: `Token ${id} (${record.name}) is revoked.` };
  });
}
