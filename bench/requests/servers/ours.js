const { Redis } = require('ioredis');
const { createPanelApi } = require('../../..');
const { openHandle } = require('../../database/openHandle');
const { openLog } = require('./openLog');
const { serve } = require('./serve');

const { DATABASE_URL, REDIS_URL, STORE } = process.env;

/** The module as a panel mounts it, with a limit that is never reached. */
serve(async () => {
  const api = createPanelApi({
    db: openHandle(DATABASE_URL),
    logger: openLog(),
    rateLimit: { requests: 1e9, store: STORE === 'redis' ? await openRedis() : STORE },
  });
  return [api.routes()];
});

async function openRedis() {
  const client = new Redis(REDIS_URL, { lazyConnect: true });
  await client.connect();
  return client;
}
