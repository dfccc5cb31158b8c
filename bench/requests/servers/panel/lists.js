const { tables } = require('../../tables');
const { envelope } = require('./envelope');
const { shown } = require('./shown');

const pageRows = 100;
const domainColumns = Object.keys(tables.domains.columns);
const jobColumns = Object.keys(tables.jobs.columns);

/** Handlers as a panel writes them: a select of the columns and the answer. */
function lists(db) {
  return {
    async domains(ctx) {
      const rows = await db('domains')
        .select(domainColumns)
        .where({ account_id: Number(ctx.query.account_id) })
        .orderBy('id');
      ctx.body = envelope('Domains loaded.', { resource: 'domains', items: rows.map(shown.domains) });
    },

    async jobs(ctx) {
      const rows = await db('jobs')
        .select(jobColumns)
        .where('id', '>', Number(ctx.query.after))
        .orderBy('id')
        .limit(pageRows + 1);
      const items = rows.slice(0, pageRows).map(shown.jobs);
      const next = rows.length > pageRows ? items.at(-1).id : null;
      ctx.body = envelope('Jobs loaded.', { resource: 'jobs', items, next_cursor: next });
    },
  };
}

module.exports = { lists };
