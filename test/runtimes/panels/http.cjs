const { createServer } = require('node:http');
const { mounts, own, listening } = require('./panel.cjs');

const handlers = mounts.map((mount) => mount.handler());

const server = createServer((req, res) => {
  if (handlers.some((handle) => handle(req, res))) return;
  res.statusCode = { '/own': 200, '/fails': 500 }[req.url] ?? 404;
  res.end({ 200: own.page, 500: own.failure }[res.statusCode] ?? own.missing);
});
server.listen(0, '127.0.0.1', () => void listening(server.address().port));
