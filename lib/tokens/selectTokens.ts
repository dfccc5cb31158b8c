import { TOKEN_COLUMNS } from './TokenRecord';
import type { TokensParts } from './TokensParts';

/** A query of tokens, whose rows `tokenRecord` reads. */
export function selectTokens({
  database: { knex, dialect },
  table,
}: Pick<TokensParts, 'database' | 'table'>) {
  return knex(table)
    .select(TOKEN_COLUMNS)
    .select({ clock: knex.raw(dialect.now) });
}
