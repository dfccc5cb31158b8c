const { createServer } = require('node:http');
const { Redis } = require('ioredis');
const Koa = require('koa');
const { openHandle } = require('../frame/database');
const { serve } = require('../frame/servers');
const { tables } = require('../frame/tables');
const { openLog } = require('./panel');

const { DATABASE_URL, MODULE, MOUNT, REDIS_URL, STORE } = process.env;
const { createMetrics, createPanelApi } = require(MODULE);

/**
 * The module as a panel mounts it, with a limit that is never reached, beside a page of the panel. MODULE is the folder
 * of a build, MOUNT whether the panel is Koa.
 */
async function createApp() {
  const { orders } = tables.jobs;
  const api = createPanelApi({
    db: openHandle(DATABASE_URL),
    logger: openLog(),
    sources: { jobs: { orders } },
    rateLimit: { requests: 1e9, store: STORE === 'redis' ? await openRedis() : STORE },
  });
  if (MOUNT === 'http') return createServer(api.handler());
  const app = new Koa().use(api.routes());
  // An older build, with which this one is compared, may have no metrics.
  if (createMetrics) app.use(createMetrics({ api }).routes());
  return app.use((ctx) => {
    ctx.body = 'own page';
  });
}

async function openRedis() {
  const client = new Redis(REDIS_URL, { lazyConnect: true });
  await client.connect();
  return client;
}

serve(createApp());
