const Router = require('@koa/router');
const Koa = require('koa');
const { domainColumns, jobColumns, nowSeconds, openPanelHandle, serve, timeText } = require('../panel');

/** The rows and nothing else: no token, no limit, no log. */
const db = openPanelHandle();
const router = new Router({ prefix: '/api/v1' });
const pageRows = 100;

const envelope = (message, data) => ({ success: true, message, data, timestamp: timeText(nowSeconds()) });

const time = (stored) => stored && `${stored.slice(0, 10)}T${stored.slice(11)}+00:00`;

router.get('/domains.php', async (ctx) => {
  const rows = await db('domains')
    .select(domainColumns)
    .where({ account_id: Number(ctx.query.account_id) })
    .orderBy('id');
  for (const row of rows) {
    row.dns_managed = row.dns_managed === 1;
    row.dnssec_enabled = row.dnssec_enabled === 1;
    row.mail_enabled = row.mail_enabled === 1;
    row.registration_expires_at = time(row.registration_expires_at);
    row.created_at = time(row.created_at);
    row.updated_at = time(row.updated_at);
  }
  ctx.body = envelope('Domains loaded.', { resource: 'domains', items: rows });
});

router.get('/jobs.php', async (ctx) => {
  const rows = await db('jobs')
    .select(jobColumns)
    .where('id', '>', Number(ctx.query.after))
    .orderBy('id')
    .limit(pageRows + 1);
  const items = rows.slice(0, pageRows);
  for (const row of items) {
    row.queued_at = time(row.queued_at);
    row.started_at = time(row.started_at);
    row.finished_at = time(row.finished_at);
  }
  const next = rows.length > pageRows ? items.at(-1).id : null;
  ctx.body = envelope('Jobs loaded.', { resource: 'jobs', items, next_cursor: next });
});

serve(new Koa().use(router.routes()));
