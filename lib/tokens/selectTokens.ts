import type { Knex } from 'knex';
import { TOKEN_COLUMNS } from './TokenRecord';
import type { TokensParts } from './TokensParts';

/** A query of tokens, whose rows `tokenRecord` reads; `from` is their table in other words. */
export function selectTokens(
  { database: { knex, dialect }, table }: Pick<TokensParts, 'database' | 'table'>,
  from: string | Knex.Raw = table,
) {
  return knex(from)
    .select(TOKEN_COLUMNS)
    .select({ clock: knex.raw(dialect.now) });
}
