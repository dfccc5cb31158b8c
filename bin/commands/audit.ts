import type { Command } from 'commander';
import { type AuditEntry, entryJson } from '../../lib/audit/AuditLog';
import { InvalidInput } from '../../lib/errors/InvalidInput';
import { rfc3339OfSeconds } from '../../lib/time/time';
import { formatTable, type TableRow } from '../output';
import { parseId } from '../token';
import { withInstallation } from '../withInstallation';

interface AuditOptions {
  readonly token?: number;
  readonly limit: string;
}

export function audit(program: Command): void {
  program
    .command('audit')
    .description('show the audit trail, the newest entries first')
    .option('--token <id>', 'only entries about this token', parseId)
    .option('--limit <n>', 'maximum number of entries', '100')
    .action(list);
}

async function list({ token, limit }: AuditOptions, command: Command): Promise<void> {
  const query = { limit: parseLimit(limit), ...(token === undefined ? {} : { tokenId: token }) };
  await withInstallation(command, async ({ audit }) => {
    const entries = await audit.list(query);
    return {
      json: entries.map(entryJson),
      text: entries.length === 0 ? 'There are no entries.' : formatTable(entries.map(rowOf)),
    };
  });
}

function parseLimit(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidInput('limit', 'The limit must be a whole number from 1 to 9999999.');
}

function rowOf({ id, at, actor, origin, action, tokenId, details }: AuditEntry): TableRow {
  return {
    ID: String(id),
    TIME: rfc3339OfSeconds(at),
    WHO: actor,
    ORIGIN: origin,
    ACTION: action,
    TOKEN: tokenId === null ? '-' : String(tokenId),
    DETAILS: JSON.stringify(details),
  };
}
