import type { Migration } from './tables';

/** For the audit trail of one person, the newest entry first. */
export const indexActor: Migration = {
  name: '0005_index_actor',
  extends: ({ auditLog }) => ({
    [auditLog]: {
      indexes: {
        [`${auditLog}_actor_index`]: (table, name) => table.index(['actor', 'id'], name),
      },
    },
  }),
};
