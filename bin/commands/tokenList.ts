import type { Command } from 'commander';
import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import { formatTable, print, printJson } from '../output';
import { tokenJson, tokenText } from '../token';
import { withInstallation } from '../withInstallation';

const HEADINGS = [
  'ID',
  'NAME',
  'TOKEN',
  'SCOPES',
  'ACCOUNT',
  'ADDRESSES',
  'LIMIT',
  'LINEAGE',
  'STATE',
  'LAST USED',
  'EXPIRES',
  'CREATED BY',
];

export function tokenList(token: Command): void {
  token.command('list').description('list all tokens, the newest first').action(list);
}

async function list(_options: object, command: Command): Promise<void> {
  await withInstallation(command, {
    tables: true,
    async run({ tokens }, json) {
      const records = await tokens.list();
      if (json) printJson(records.map(tokenJson));
      else if (records.length === 0) print('There are no tokens.');
      else print(formatTable(HEADINGS, records.map(rowOf)));
    },
  });
}

function rowOf(record: TokenRecord): readonly string[] {
  const text = tokenText(record);
  return [
    text.id,
    text.name,
    text.token,
    text.scopes,
    text.account,
    shortened(record.allowedAddresses, text.addresses),
    text.rate_limit,
    text.lineage,
    text.state,
    text.last_used,
    text.expires,
    text.created_by,
  ];
}

/** A hundred addresses would fill the screen: `token show` has them all. */
function shortened(addresses: readonly string[], text: string): string {
  return addresses.length > 1 ? `${addresses[0]} +${addresses.length - 1}` : text;
}
