import type { Command } from 'commander';
import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import { formatTable, type TableRow } from '../output';
import { tokenJson, tokenText } from '../token';
import { withInstallation } from '../withInstallation';

export function tokenList(token: Command): void {
  token.command('list').description('list all tokens, the newest first').action(list);
}

async function list(_options: object, command: Command): Promise<void> {
  await withInstallation(command, async ({ tokens }) => {
    const records = await tokens.list();
    return {
      json: records.map(tokenJson),
      text: records.length === 0 ? 'There are no tokens.' : formatTable(records.map(rowOf)),
    };
  });
}

function rowOf(record: TokenRecord): TableRow {
  const text = tokenText(record);
  return {
    ID: text.id,
    NAME: text.name,
    TOKEN: text.token,
    SCOPES: text.scopes,
    ACCOUNT: text.account,
    ADDRESSES: shortened(record.allowedAddresses, text.addresses),
    LIMIT: text.rate_limit,
    LINEAGE: text.lineage,
    STATE: text.state,
    'LAST USED': text.last_used,
    EXPIRES: text.expires,
    'CREATED BY': text.created_by,
  };
}

/** A hundred addresses would fill the screen. `token show` prints all. */
function shortened(addresses: readonly string[], text: string): string {
  return addresses.length > 1 ? `${addresses[0]} +${addresses.length - 1}` : text;
}
