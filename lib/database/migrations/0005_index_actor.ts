import { indexNames, type Migration } from './tables';

/** By it the audit trail of one person is read, the newest entry first. */
export const indexActor: Migration = {
  name: '0005_index_actor',
  async alter(session, { auditLog }, dialect) {
    const index = `${auditLog}_actor_index`;
    if ((await indexNames(session, dialect, auditLog)).includes(index)) return;
    await session.define((schema) =>
      schema.alterTable(auditLog, (table) => table.index(['actor', 'id'], index)),
    );
  },
};
