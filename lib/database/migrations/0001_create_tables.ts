import type { Migration } from './tables';

// Every time is a whole number of seconds since 1970, so that no driver's or session's time zone can move it.
export const createTables: Migration = {
  name: '0001_create_tables',
  creates: (tables, dialect) => ({
    [tables.settings]: (table) => {
      table.string('name', 64).primary(`${tables.settings}_pkey`);
      table.text('value').notNullable();
      table.bigInteger('updated_at').notNullable();
      table.string('updated_by', 128).notNullable();
    },
    [tables.tokens]: (table) => {
      table.increments('id');
      table.string('name', 128).notNullable();
      table.string('prefix', 32).notNullable();
      // A text column would match in other letter case and with trailing spaces.
      table.specificType('hash', dialect.hashType).notNullable();
      table.text('scopes').notNullable();
      table.bigInteger('created_at').notNullable();
      table.string('created_by', 128).notNullable();
      table.bigInteger('expires_at');
      table.bigInteger('last_used_at');
      table.bigInteger('revoked_at');
      table.string('revoked_by', 128);
      // Null: all accounts. Else JSON, as `storedAccounts` writes it.
      table.text('accounts', 'mediumtext');
      // Null: from anywhere. Else addresses and networks with spaces between them.
      table.text('allowed_addresses');
      table.integer('rate_limit');
      // The first token of those that replaced one another; null for the first itself.
      table.integer('lineage');
      table.bigInteger('rotated_at');
      // The SHA-256 of the idempotency key in hexadecimal: no collation treats two of them as equal.
      table.string('request', 64);
      table.text('note');
      table.string('last_used_address', 64);
      table.integer('version').notNullable().defaultTo(1);
      // How many days before its end the panel was told of that last; 0: that it was used after it.
      table.smallint('told_days');
      // The networks that it was used from, with spaces between them: see `useOf`.
      table.text('seen_networks');
      table.unique(['hash'], { indexName: `${tables.tokens}_hash_unique` });
      table.index(['lineage'], `${tables.tokens}_lineage_index`);
      table.index(['expires_at'], `${tables.tokens}_expiry_index`);
      table.unique(['request'], { indexName: `${tables.tokens}_request_unique` });
    },
    [tables.auditLog]: (table) => {
      table.bigIncrements('id');
      table.bigInteger('at').notNullable();
      table.string('action', 64).notNullable();
      table.string('actor', 128).notNullable();
      table.string('origin', 32).notNullable();
      table.integer('token_id');
      table.text('details').notNullable();
      // From which address an administrator made the change.
      table.string('address', 64);
      table.index(['token_id'], `${tables.auditLog}_token_index`);
      // For the audit trail of one person, the newest entry first.
      table.index(['actor', 'id'], `${tables.auditLog}_actor_index`);
    },
    [tables.rateLimits]: (table) => {
      table.integer('token_id').primary(`${tables.rateLimits}_pkey`);
      table.bigInteger('window_start').notNullable();
      table.bigInteger('hits').notNullable();
    },
    // Without a foreign key: the counts of a token are kept even if its row is deleted. Rows of the token 0 have the
    // requests of all tokens together.
    [tables.usage]: (table) => {
      table.integer('token_id').notNullable();
      table.integer('day').notNullable();
      table.string('endpoint', 64).notNullable();
      table.smallint('status_class').notNullable();
      table.bigInteger('requests').notNullable();
      table.bigInteger('last_at');
      table.primary(['token_id', 'day', 'endpoint', 'status_class'], `${tables.usage}_pkey`);
      table.index(['day'], `${tables.usage}_day_index`);
    },
    // Neither written nor read any more. Builds of the version before count in it: the next one drops it.
    [tables.usageHours]: (table) => {
      table.integer('hour').notNullable();
      table.string('endpoint', 64).notNullable();
      table.smallint('status_class').notNullable();
      table.bigInteger('requests').notNullable();
      table.primary(['hour', 'endpoint', 'status_class'], `${tables.usageHours}_pkey`);
    },
    // The requests of each token in the last 30 days, so that the busiest are found without reading all counts.
    [tables.usageTokens]: (table) => {
      table.integer('token_id').primary(`${tables.usageTokens}_pkey`);
      table.bigInteger('requests').notNullable();
      // The day on which the sum was made anew last.
      table.integer('settled').notNullable();
      table.index(['requests'], `${tables.usageTokens}_requests_index`);
    },
    // The last requests of each token that were answered with an error.
    [tables.refusals]: (table) => {
      table.bigIncrements('id');
      table.integer('token_id').notNullable();
      table.bigInteger('at').notNullable();
      table.string('endpoint', 64).notNullable();
      table.string('code', 64).notNullable();
      table.string('request_id', 128).notNullable();
      table.index(['token_id', 'id'], `${tables.refusals}_token_index`);
      table.index(['at'], `${tables.refusals}_at_index`);
    },
  }),
};
