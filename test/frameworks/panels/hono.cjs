const { createServer } = require('node:http');
const { getRequestListener } = require('@hono/node-server');
const { Hono } = require('hono');
const { api, section, own, listen } = require('./panel.cjs');

const app = new Hono();
app.get('/own', (context) => context.text(own.page));
app.get('/fails', () => {
  throw new Error();
});
app.notFound((context) => context.text(own.missing, 404));
app.onError((_error, context) => context.text(own.failure, 500));

const [handleApi, handleSection, handleOwn] = [
  api.handler(),
  section.handler(),
  getRequestListener(app.fetch),
];
listen(
  createServer((req, res) => void (handleApi(req, res) || handleSection(req, res) || handleOwn(req, res))),
);
