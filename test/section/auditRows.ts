import type { Knex } from 'knex';

/** An entry of the audit trail as a test puts it there. */
export interface AuditRow {
  readonly actor: string;
  readonly token_id: number | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Writes entries at once, the first of them as the oldest: hundreds of real ones would take long. */
export async function insertAuditRows(knex: Knex, rows: readonly AuditRow[]): Promise<void> {
  const written = rows.map(({ details, ...row }, index) => ({
    at: 1_790_000_000 + index,
    action: 'token.created',
    origin: 'cli',
    details: JSON.stringify(details),
    ...row,
  }));
  await knex.batchInsert('panel_api_audit_log', written, 100);
}
