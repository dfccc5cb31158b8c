const { Elysia } = require('elysia');
const { createAnswer, own, listening } = require('./panel.cjs');

const answer = createAnswer();

const app = new Elysia()
  .onRequest(({ request, server }) => answer(request, { address: server.requestIP(request).address }))
  .onError(({ code }) =>
    code === 'NOT_FOUND'
      ? new Response(own.missing, { status: 404 })
      : new Response(own.failure, { status: 500 }),
  )
  .get('/own', () => own.page)
  .get('/fails', () => {
    throw new Error();
  })
  .listen({ hostname: '127.0.0.1', port: 0 });
void listening(app.server.port);
