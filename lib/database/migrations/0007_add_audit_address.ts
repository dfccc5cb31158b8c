import type { Migration } from './tables';

/** From which address an administrator made a change. */
export const addAuditAddress: Migration = {
  name: '0007_add_audit_address',
  extends: ({ auditLog }) => ({
    [auditLog]: {
      columns: {
        address: (table, name) => table.string(name, 64),
      },
    },
  }),
};
