const { createServer } = require('node:http');
const { H3 } = require('h3v2');
const { toNodeHandler } = require('h3v2/node');
const { answer, own, listen } = require('./panel.cjs');

const onError = ({ status }) => new Response(status === 404 ? own.missing : own.failure, { status });
const app = new H3({ onError, silent: true });
// If a function of one parameter returns a 404, h3 looks for another answer.
app.use((event, next) => answer(event.req, { address: event.req.ip }) ?? next());
app.get('/own', () => own.page);
app.get('/fails', () => {
  throw new Error();
});
listen(createServer(toNodeHandler(app)));
