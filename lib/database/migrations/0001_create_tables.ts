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
      table.unique(['hash'], { indexName: `${tables.tokens}_hash_unique` });
    },
    [tables.auditLog]: (table) => {
      table.bigIncrements('id');
      table.bigInteger('at').notNullable();
      table.string('action', 64).notNullable();
      table.string('actor', 128).notNullable();
      table.string('origin', 32).notNullable();
      table.integer('token_id');
      table.text('details').notNullable();
      table.index(['token_id'], `${tables.auditLog}_token_index`);
    },
    [tables.rateLimits]: (table) => {
      table.integer('token_id').primary(`${tables.rateLimits}_pkey`);
      table.bigInteger('window_start').notNullable();
      table.bigInteger('hits').notNullable();
    },
  }),
};
