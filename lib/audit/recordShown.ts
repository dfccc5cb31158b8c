import type { Migrations } from '../database/migrations/Migrations';
import type { AuditLog, Author } from './AuditLog';

/** Records that an administrator is shown rows of these lists, as a token of this account or of all reads them. */
export async function recordShown(
  { audit, migrations }: { readonly audit: AuditLog; readonly migrations: Migrations },
  author: Author,
  details: { readonly lists: readonly string[]; readonly account_id: string | null },
): Promise<void> {
  const { database } = migrations.ownTables;
  const at = await database.clock();
  await database.transaction('audit.shown', (session) =>
    audit.append(session, author, { at, action: 'lists.shown', tokenId: null, details }),
  );
}
