import type { Knex } from 'knex';
import { columnNames, indexNames, type Migration, tokenIndex } from './tables';

type Change = (table: Knex.AlterTableBuilder) => unknown;

const COLUMNS: Readonly<Record<string, Change>> = {
  // Null: from anywhere. Else addresses and networks with spaces between them.
  allowed_addresses: (table) => table.text('allowed_addresses'),
  rate_limit: (table) => table.integer('rate_limit'),
  // The first token of those that replaced one another; null for the first itself.
  lineage: (table) => table.integer('lineage'),
  rotated_at: (table) => table.bigInteger('rotated_at'),
  // The SHA-256 of the request's id in hexadecimal, which no collation takes for another.
  request: (table) => table.string('request', 64),
};

/** Those of `tokens.page` begin as its sections do. */
const indexesOf = (tokens: string): Readonly<Record<string, Change>> => ({
  [tokenIndex(tokens, 'expiry')]: (table) =>
    table.index(['revoked_at', 'expires_at', 'id'], tokenIndex(tokens, 'expiry')),
  [tokenIndex(tokens, 'revoked')]: (table) =>
    table.index(['revoked_at', 'id'], tokenIndex(tokens, 'revoked')),
  [`${tokens}_lineage_index`]: (table) => table.index(['lineage'], `${tokens}_lineage_index`),
  [`${tokens}_request_unique`]: (table) =>
    table.unique(['request'], { indexName: `${tokens}_request_unique` }),
});

export const growTokens: Migration = {
  name: '0003_grow_tokens',
  async alter(session, { tokens }, dialect) {
    const missing = async (all: Readonly<Record<string, Change>>, there: Promise<readonly string[]>) => {
      const names = new Set(await there);
      return Object.entries(all).flatMap(([name, change]) => (names.has(name) ? [] : [change]));
    };
    const changes = [
      ...(await missing(COLUMNS, columnNames(session, dialect, tokens))),
      ...(await missing(indexesOf(tokens), indexNames(session, dialect, tokens))),
    ];
    for (const change of changes) await session.define((schema) => schema.alterTable(tokens, change));
  },
};
