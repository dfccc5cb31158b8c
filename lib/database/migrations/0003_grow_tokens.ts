import type { Migration } from './tables';

export const growTokens: Migration = {
  name: '0003_grow_tokens',
  extends: ({ tokens }) => ({
    [tokens]: {
      columns: {
        // Null: from anywhere. Else addresses and networks with spaces between them.
        allowed_addresses: (table, name) => table.text(name),
        rate_limit: (table, name) => table.integer(name),
        // The first token of those that replaced one another; null for the first itself.
        lineage: (table, name) => table.integer(name),
        rotated_at: (table, name) => table.bigInteger(name),
        // The SHA-256 of the idempotency key in hexadecimal: no collation treats two of them as equal.
        request: (table, name) => table.string(name, 64),
      },
      indexes: {
        [`${tokens}_lineage_index`]: (table, name) => table.index(['lineage'], name),
        [`${tokens}_request_unique`]: (table, indexName) => table.unique(['request'], { indexName }),
      },
    },
  }),
};
