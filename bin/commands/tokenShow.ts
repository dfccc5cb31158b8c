import type { Command } from 'commander';
import { parseId } from '../arguments';
import { unknownToken } from '../exit';
import { formatFacts, print, printJson } from '../output';
import { tokenJson, tokenText } from '../token';
import { withInstallation } from '../withInstallation';

export function tokenShow(token: Command): void {
  token.command('show').description('show what is known of a token').argument('<id>').action(show);
}

async function show(text: string, _options: object, command: Command): Promise<void> {
  const id = parseId(text);
  await withInstallation(command, {
    tables: true,
    async run({ tokens }, json) {
      const record = await tokens.get(id);
      if (!record) throw unknownToken(id);
      if (json) printJson(tokenJson(record));
      else print(formatFacts(tokenText(record)));
    },
  });
}
