import type { Knex } from 'knex';
import { createPanelTables } from '../fixture/panelTables';

/** Rows of a list that is longer than what the kernel keeps on its way between two sockets. */
export const LONG = 20_000;

const DIGITS = `(${Array.from({ length: 10 }, (_, digit) => `SELECT ${digit} AS d`).join(' UNION ALL ')})`;
const NUMBER = 'a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d';

// Long words make a long list of few rows.
export const WORD = 'long'.repeat(60);

/** What the domain of a row is called: text of one to four bytes a character. */
export const nameOf = (id: number) => `é-漢字-🐘-${id}.example`;

/** Makes the table of domains and fills it with rows of the ids 1 to `rows`, at most 100,000, of five accounts. */
export async function createLongTable(knex: Knex, rows = LONG, table = 'domains'): Promise<void> {
  await createPanelTables(knex, ['domains']);
  if (table !== 'domains') await knex.schema.renameTable('domains', table);
  await knex.raw(
    `INSERT INTO ${table} (id, domain, type, ssl_status, status, account_id, updated_at)
      SELECT n + 1, CONCAT('é-漢字-🐘-', n + 1, '.example'), '${WORD}', '${WORD}', 'active', n % 5, '2026-06-12 00:00:00'
      FROM (SELECT ${NUMBER} AS n FROM ${['a', 'b', 'c', 'e', 'f'].map((alias) => `${DIGITS} ${alias}`).join(', ')}) s
      WHERE n < ${rows}`,
  );
}

/** A row as the panel itself writes it. */
export function rowOf(id: number) {
  return { id, domain: nameOf(id), type: 'primary', ssl_status: 'active', status: 'active', account_id: 0 };
}

/** The numbers from one to another, in order. */
export const idsFrom = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
