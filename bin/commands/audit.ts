import type { Command } from 'commander';
import type { AuditEntry, AuditQuery } from '../../lib/audit/AuditLog';
import { InvalidInput } from '../../lib/errors/InvalidInput';
import { rfc3339OfSeconds } from '../../lib/time/time';
import { parseId } from '../arguments';
import { formatTable, print, printJson } from '../output';
import { withInstallation } from '../withInstallation';

interface AuditOptions {
  readonly token?: string;
  readonly limit: string;
}

const HEADINGS = ['ID', 'TIME', 'WHO', 'THROUGH', 'ACTION', 'TOKEN', 'DETAILS'];

export function audit(program: Command): void {
  program
    .command('audit')
    .description('show the audit trail, the newest entries first')
    .option('--token <id>', 'only what is about this token')
    .option('--limit <n>', 'how many entries at most', '100')
    .action(list);
}

async function list(options: AuditOptions, command: Command): Promise<void> {
  const query = readQuery(options);
  await withInstallation(command, {
    tables: true,
    async run({ audit }, json) {
      const entries = await audit.list(query);
      if (json) printJson(entries.map(entryJson));
      else if (entries.length === 0) print('There are no entries.');
      else print(formatTable(HEADINGS, entries.map(rowOf)));
    },
  });
}

function readQuery({ token, limit }: AuditOptions): AuditQuery {
  if (!/^[1-9]\d{0,6}$/.test(limit))
    throw new InvalidInput('limit', 'The limit is a whole number from 1 to 9999999.');
  return { limit: Number(limit), ...(token === undefined ? {} : { tokenId: parseId(token) }) };
}

function entryJson({ id, at, actor, origin, action, tokenId, details }: AuditEntry) {
  return { id, at: rfc3339OfSeconds(at), actor, origin, action, token_id: tokenId, details };
}

function rowOf({ id, at, actor, origin, action, tokenId, details }: AuditEntry): readonly string[] {
  const token = tokenId === null ? '-' : String(tokenId);
  return [String(id), rfc3339OfSeconds(at), actor, origin, action, token, JSON.stringify(details)];
}
