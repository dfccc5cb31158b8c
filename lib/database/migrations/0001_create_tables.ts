import type { Migration } from './tables';

// Every time is a whole number of seconds since 1970, so that no driver's or session's time zone can move it.
export const createTables: Migration = {
  name: '0001_create_tables',
  creates: {
    settings(table, name) {
      table.string('name', 64).primary(`${name}_pkey`);
      table.text('value').notNullable();
      table.bigInteger('updated_at').notNullable();
      table.string('updated_by', 128).notNullable();
    },
    tokens(table, name, { hashType }) {
      table.increments('id');
      table.string('name', 128).notNullable();
      table.string('prefix', 32).notNullable();
      // A text column would match in other letter case and with trailing spaces.
      table.specificType('hash', hashType).notNullable();
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
      table.unique(['hash'], { indexName: `${name}_hash_unique` });
      table.index(['lineage'], `${name}_lineage_index`);
      table.index(['expires_at'], `${name}_expiry_index`);
      table.unique(['request'], { indexName: `${name}_request_unique` });
    },
    auditLog(table, name) {
      table.bigIncrements('id');
      table.bigInteger('at').notNullable();
      table.string('action', 64).notNullable();
      table.string('actor', 128).notNullable();
      table.string('origin', 32).notNullable();
      table.integer('token_id');
      table.text('details').notNullable();
      // From which address an administrator made the change.
      table.string('address', 64);
      table.index(['token_id'], `${name}_token_index`);
      // For the audit trail of one person, the newest entry first.
      table.index(['actor', 'id'], `${name}_actor_index`);
    },
    rateLimits(table, name) {
      table.integer('token_id').primary(`${name}_pkey`);
      table.bigInteger('window_start').notNullable();
      table.bigInteger('hits').notNullable();
    },
    // Without a foreign key: the counts of a token are kept even if its row is deleted. Rows of the token 0 have the
    // requests of all tokens together.
    usage(table, name) {
      table.integer('token_id').notNullable();
      table.integer('day').notNullable();
      table.string('endpoint', 64).notNullable();
      table.smallint('status_class').notNullable();
      table.bigInteger('requests').notNullable();
      table.bigInteger('last_at');
      table.primary(['token_id', 'day', 'endpoint', 'status_class'], `${name}_pkey`);
      table.index(['day'], `${name}_day_index`);
    },
    // Neither written nor read any more. Builds of the version before count in it: the next one drops it.
    usageHours(table, name) {
      table.integer('hour').notNullable();
      table.string('endpoint', 64).notNullable();
      table.smallint('status_class').notNullable();
      table.bigInteger('requests').notNullable();
      table.primary(['hour', 'endpoint', 'status_class'], `${name}_pkey`);
    },
    // The requests of each token in the last 30 days, so that the busiest are found without reading all counts.
    usageTokens(table, name) {
      table.integer('token_id').primary(`${name}_pkey`);
      table.bigInteger('requests').notNullable();
      // The day on which the sum was made anew last.
      table.integer('settled').notNullable();
      table.index(['requests'], `${name}_requests_index`);
    },
    // The last requests of each token that were answered with an error.
    refusals(table, name) {
      table.bigIncrements('id');
      table.integer('token_id').notNullable();
      table.bigInteger('at').notNullable();
      table.string('endpoint', 64).notNullable();
      table.string('code', 64).notNullable();
      table.string('request_id', 128).notNullable();
      table.index(['token_id', 'id'], `${name}_token_index`);
      table.index(['at'], `${name}_at_index`);
    },
  },
};
