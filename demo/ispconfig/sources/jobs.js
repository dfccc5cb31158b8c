// @ts-check

const slowest = `select f.server_id from server as f where f.active = 1 and f.mirror_server_id = 0
  order by f.updated, f.server_id limit 1`;

/** @type {import('koa-panel-api').Sources['jobs']} */
module.exports = [
  // Part 0: changes that servers have to carry out. A server writes down in `updated` how far it has come. A change
  // for server 0 is for all of them, and done when the slowest has it. One row for each change, in the order of its
  // own key, keeps a page cheap however long the log is.
  {
    query: (knex) =>
      knex('sys_datalog as d').leftJoin(
        'server as s',
        's.server_id',
        knex.raw(`case d.server_id when 0 then (${slowest}) else d.server_id end`),
      ),
    fields: {
      id: 'd.datalog_id',
      type: { column: 'd.action', values: { i: 'insert', u: 'update', d: 'delete' } },
      // The column `status` says "ok" from the beginning.
      status: {
        columns: { change: 'd.datalog_id', reached: 's.updated', error: 'd.error' },
        from: ({ change, reached, error }) => {
          if (reached === null) return 'unknown';
          if (Number(change) > Number(reached)) return 'queued';
          return error ? 'failed' : 'succeeded';
        },
      },
      target_type: 'd.dbtable',
      // A name and a value, such as domain_id:5.
      target_id: { column: 'd.dbidx', from: (key) => String(key).split(':').at(-1) || null },
      queued_at: { column: 'd.tstamp', time: 'unix' },
      actor: { column: 'd.user', null: '' },
      error: { column: 'd.error', null: '' },
    },
  },
  // Part 1: commands to a server, such as to restore a backup.
  {
    query: (knex) => knex('sys_remoteaction as a'),
    fields: {
      id: 'a.action_id',
      type: 'a.action_type',
      status: {
        column: 'a.action_state',
        values: { pending: 'queued', ok: 'succeeded', warning: 'succeeded', error: 'failed' },
      },
      queued_at: { column: 'a.tstamp', time: 'unix' },
      error: {
        columns: { state: 'a.action_state', response: 'a.response' },
        from: ({ state, response }) => (state === 'error' ? response || null : null),
      },
    },
  },
];
