import type { Migration } from './tables';

/** The requests of all tokens together by hour, for the total of the last 24 hours. */
export const createUsageHours: Migration = {
  name: '0008_create_usage_hours',
  creates: ({ usageHours }) => ({
    [usageHours]: (table) => {
      table.integer('hour').notNullable();
      table.smallint('status_class').notNullable();
      table.bigInteger('requests').notNullable();
      table.primary(['hour', 'status_class'], `${usageHours}_pkey`);
    },
  }),
};
