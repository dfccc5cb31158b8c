const fastify = require('fastify')();
const { api, section, own, listening } = require('./panel.cjs');

async function start() {
  await fastify.register(require('@fastify/middie'));
  fastify.use(api.handler());
  fastify.use(section.handler());
  fastify.get('/own', () => own.page);
  fastify.get('/fails', () => {
    throw new Error();
  });
  fastify.setNotFoundHandler((_request, reply) => reply.code(404).send(own.missing));
  fastify.setErrorHandler((_error, _request, reply) => reply.code(500).send(own.failure));
  await fastify.listen({ port: 0, host: '127.0.0.1' });
  await listening(fastify.server.address().port);
}

void start();
