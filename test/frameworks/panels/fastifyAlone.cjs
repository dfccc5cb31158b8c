const fastify = require('fastify')();
const { api, section, own, listening } = require('./panel.cjs');

async function start() {
  const [handleApi, handleSection] = [api.handler(), section.handler()];
  await fastify.register(require('@fastify/formbody'));
  // Fastify answers only the paths and methods of its routes, and calls this for all others.
  fastify.setNotFoundHandler(({ raw, body }, reply) => {
    if (body !== undefined) raw.body = body;
    if (handleApi(raw, reply.raw) || handleSection(raw, reply.raw)) reply.hijack();
    else reply.code(404).send(own.missing);
  });
  fastify.get('/own', () => own.page);
  fastify.get('/fails', () => {
    throw new Error();
  });
  fastify.setErrorHandler((_error, _request, reply) => reply.code(500).send(own.failure));
  await fastify.listen({ port: 0, host: '127.0.0.1' });
  await listening(fastify.server.address().port);
}

void start();
