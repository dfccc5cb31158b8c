import type { Migration } from './tables';

// Without a foreign key: the counts of a token are kept even if its row is deleted.
export const createUsage: Migration = {
  name: '0004_create_usage',
  creates: ({ usage }) => ({
    [usage]: (table) => {
      table.integer('token_id').notNullable();
      table.integer('day').notNullable();
      table.string('endpoint', 64).notNullable();
      table.smallint('status_class').notNullable();
      table.bigInteger('requests').notNullable();
      table.primary(['token_id', 'day', 'endpoint', 'status_class'], `${usage}_pkey`);
      table.index(['day'], `${usage}_day_index`);
    },
  }),
};
