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
 * of a build, MOUNT what the panel is, if it is not Koa.
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
  if (MOUNT === 'requests') return createServer(listenerOf(api.fetcher()));
  if (MOUNT === 'bun') return bunServer(api.fetcher());
  const app = new Koa().use(api.routes());
  // An older build, with which this one is compared, may have no metrics.
  if (createMetrics) app.use(createMetrics({ api }).routes());
  return app.use((ctx) => {
    ctx.body = 'own page';
  });
}

/** Answers a request of Node's as a framework over `Request` and `Response` does. */
function listenerOf(answer) {
  return async (req, res) => {
    const { method, headers, socket } = req;
    const request = new Request(`http://${headers.host}${req.url}`, { method, headers });
    const response = await answer(request, { address: socket.remoteAddress });
    res.writeHead(response.status, Object.fromEntries(response.headers));
    // They read a body of which they know the length at once.
    res.end(Buffer.from(await response.arrayBuffer()));
  };
}

/** The server of Bun. */
function bunServer(answer) {
  const fetch = (request, server) => answer(request, { address: server.requestIP(request).address });
  return { open: () => Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch }).port };
}

async function openRedis() {
  const client = new Redis(REDIS_URL, { lazyConnect: true });
  await client.connect();
  return client;
}

serve(createApp());
