import type { OwnTable } from '../database/migrations/Migrations';
import type { AuditLog, Author } from './AuditLog';

interface Parts extends Omit<OwnTable, 'table'> {
  readonly audit: AuditLog;
}

/** Records that an administrator is shown rows of these lists, as a token of this account or of all reads them. */
export async function recordShown(
  { audit, database, migrations }: Parts,
  author: Author,
  details: { readonly lists: readonly string[]; readonly account_id: string | null },
): Promise<void> {
  await migrations.ready();
  const at = await database.clock();
  await database.transaction('audit.shown', (session) =>
    audit.append(session, author, { at, action: 'lists.shown', tokenId: null, details }),
  );
}
