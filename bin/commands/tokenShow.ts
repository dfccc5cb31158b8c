import type { Command } from 'commander';
import { formatFacts } from '../table';
import { parseId, tokenFacts, tokenJson, unknownToken } from '../token';
import { withInstallation } from '../withInstallation';

export function tokenShow(token: Command): void {
  token
    .command('show')
    .description('show one token')
    .argument('<id>', 'id of the token', parseId)
    .action(show);
}

async function show(id: number, _options: object, command: Command): Promise<void> {
  await withInstallation(command, async ({ tokens }) => {
    const record = await tokens.get(id);
    if (!record) throw unknownToken(id);
    return { json: tokenJson(record), text: formatFacts(tokenFacts(record)) };
  });
}
