const { createServer } = require('node:http');
const { fromNodeHandler, H3 } = require('h3v2');
const { toNodeHandler } = require('h3v2/node');
const { api, section, own, listen } = require('./panel.cjs');

const onError = ({ status }) => new Response(status === 404 ? own.missing : own.failure, { status });
const app = new H3({ onError, silent: true });
app.use(fromNodeHandler(api.handler()));
app.use(fromNodeHandler(section.handler()));
app.get('/own', () => own.page);
app.get('/fails', () => {
  throw new Error();
});
listen(createServer(toNodeHandler(app)));
