const rateLimit = require('koa-ratelimit');

const windowSeconds = 60;
const requests = 1e9;

/** koa-ratelimit for each token, in the process's memory. */
function limitRequests() {
  return rateLimit({
    driver: 'memory',
    db: new Map(),
    duration: windowSeconds * 1000,
    max: requests,
    id: (ctx) => String(ctx.state.token.id),
  });
}

module.exports = { limitRequests, requests, windowSeconds };
