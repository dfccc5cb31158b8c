const { createServer } = require('node:http');
const { getRequestListener } = require('@hono/node-server');
const { getConnInfo } = require('@hono/node-server/conninfo');
const { Hono } = require('hono');
const { answer, own, listen } = require('./panel.cjs');

const app = new Hono();
app.use(
  async (context, next) =>
    (await answer(context.req.raw, { address: getConnInfo(context).remote.address })) ?? next(),
);
app.get('/own', (context) => context.text(own.page));
app.get('/fails', () => {
  throw new Error();
});
app.notFound((context) => context.text(own.missing, 404));
app.onError((_error, context) => context.text(own.failure, 500));
listen(createServer(getRequestListener(app.fetch)));
