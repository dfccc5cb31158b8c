// @ts-check

const slowest = `select f.server_id from server as f where f.active = 1 and f.mirror_server_id = 0
  order by f.updated, f.server_id limit 1`;

/**
 * The state of every change, as a column of a query, so that it can be filtered. The log's own column `status` is "ok"
 * from the beginning. Each server stores the last change that it has carried out in `updated`. A change for server 0 is
 * for all servers, and done when the slowest has carried it out.
 *
 * @param {import('knex').Knex} knex
 */
const changeStates = (knex) =>
  knex('sys_datalog as l')
    .leftJoin(
      'server as s',
      's.server_id',
      knex.raw(`case l.server_id when 0 then (${slowest}) else l.server_id end`),
    )
    .select(
      'l.datalog_id',
      knex.raw(`case when s.server_id is null then 'unknown' when l.datalog_id > s.updated then 'queued'
        when l.error <> '' then 'failed' else 'succeeded' end as status`),
    );

/** @type {import('koa-panel-api').Sources['jobs']} */
module.exports = [
  // Part 0: changes that servers must carry out. A change for all servers is one job.
  {
    query: (knex) =>
      knex('sys_datalog as d').join(changeStates(knex).as('state'), 'state.datalog_id', 'd.datalog_id'),
    fields: {
      id: 'd.datalog_id',
      type: { column: 'd.action', values: { i: 'insert', u: 'update', d: 'delete' } },
      status: 'state.status',
      target_type: 'd.dbtable',
      // A name and a value, such as domain_id:5.
      target_id: { column: 'd.dbidx', from: (key) => String(key).split(':').at(-1) || null },
      queued_at: { column: 'd.tstamp', time: 'unix' },
      actor: { column: 'd.user', null: '' },
      error: { column: 'd.error', null: '' },
    },
  },
  // Part 1: commands to a server, such as restoring a backup.
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
        compute: ({ state, response }) => (state === 'error' ? response || null : null),
      },
    },
  },
];
