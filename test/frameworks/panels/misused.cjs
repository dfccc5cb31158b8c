// A panel that mounts the module as in Koa. The framework is an argument.
const [, , , name] = process.argv;
const { api, section, listen, listening } = require('./panel.cjs');

async function start() {
  if (name === 'fastify') {
    const fastify = require('fastify')();
    await fastify.register(require('@fastify/middie'));
    fastify.use(api.routes());
    fastify.use(section.routes());
    await fastify.listen({ port: 0, host: '127.0.0.1' });
    return listening(fastify.server.address().port);
  }
  const app = require(name)();
  app.use(api.routes());
  app.use(section.routes());
  listen(require('node:http').createServer(app));
}

void start();
