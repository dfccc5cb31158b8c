const { createServer } = require('node:http');
const { api, section, own, listen } = require('./panel.cjs');

const [handleApi, handleSection] = [api.handler(), section.handler()];

listen(
  createServer((req, res) => {
    if (handleApi(req, res) || handleSection(req, res)) return;
    res.statusCode = { '/own': 200, '/fails': 500 }[req.url] ?? 404;
    res.end({ 200: own.page, 500: own.failure }[res.statusCode] ?? own.missing);
  }),
);
