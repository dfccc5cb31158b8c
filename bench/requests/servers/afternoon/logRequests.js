const { randomUUID } = require('node:crypto');

/** A line per request, with the same content as the module's. */
function logRequests(log) {
  return async (ctx, next) => {
    const began = performance.now();
    const requestId = randomUUID();
    ctx.set('X-Request-Id', requestId);
    try {
      await next();
    } finally {
      log.info('request', {
        request_id: requestId,
        token_id: ctx.state.token?.id,
        token_name: ctx.state.token?.name,
        method: ctx.method,
        route: ctx.path,
        status: ctx.status,
        milliseconds: performance.now() - began,
        address: ctx.ip,
      });
    }
  };
}

module.exports = { logRequests };
