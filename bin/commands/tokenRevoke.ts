import type { Command } from 'commander';
import { parseId } from '../arguments';
import { cliAuthor } from '../author';
import { unknownToken } from '../exit';
import { print, printJson } from '../output';
import { tokenJson } from '../token';
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
