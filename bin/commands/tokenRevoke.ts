import type { Command } from 'commander';
import { cliAuthor } from '../cliAuthor';
import { parseId } from '../parseId';
import { print, printJson } from '../print';
import { tokenJson } from '../tokenJson';
import { unknownToken } from '../unknownToken';
import { withInstallation } from '../withInstallation';

export function tokenRevoke(token: Command): void {
  token.command('revoke').description('revoke a token for good').argument('<id>').action(revoke);
}

async function revoke(text: string, _options: object, command: Command): Promise<void> {
  const id = parseId(text);
  await withInstallation(command, {
    tables: true,
    async run({ tokens }, json) {
      const record = await tokens.revoke(id, cliAuthor());
      if (!record) throw unknownToken(id);
      if (json) printJson(tokenJson(record));
      else print(`Token ${id} (${record.name}) is revoked.`);
    },
  });
}
