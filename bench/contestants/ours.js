const { Redis } = require('ioredis');
const Koa = require('koa');
const { openHandle } = require('../database');
const { openLog, serve } = require('../panel');

const { DATABASE_URL, MODULE, REDIS_URL, STORE } = process.env;
const { createPanelApi } = require(MODULE);

/** The module as a panel mounts it, with a limit that is never reached. MODULE is the folder of a build. */
async function createApp() {
  const api = createPanelApi({
    db: openHandle(DATABASE_URL),
    logger: openLog(),
    rateLimit: { requests: 1e9, store: STORE === 'redis' ? await openRedis() : STORE },
  });
  return new Koa().use(api.routes());
}

async function openRedis() {
  const client = new Redis(REDIS_URL, { lazyConnect: true });
  await client.connect();
  return client;
}

serve(createApp());
