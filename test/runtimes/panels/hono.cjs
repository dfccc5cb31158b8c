const { Hono } = require('hono');
const { createAnswer, own, listening } = require('./panel.cjs');

const runtime = process.versions.bun ? 'bun' : 'deno';
const { getConnInfo } = require(`hono/${runtime}`);

const answer = createAnswer();

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

const place = { hostname: '127.0.0.1', port: 0 };
const port =
  runtime === 'bun'
    ? Bun.serve({ ...place, fetch: app.fetch }).port
    : Deno.serve({ ...place, onListen: () => undefined }, app.fetch).addr.port;
void listening(port);
