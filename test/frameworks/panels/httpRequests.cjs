// A server of Node's, with a small bridge of its own to Request and Response.
const { createServer } = require('node:http');
const { Readable } = require('node:stream');
const { pipeline } = require('node:stream/promises');
const { answer, own, listen } = require('./panel.cjs');

function requestOf(req, res) {
  const left = new AbortController();
  res.once('close', () => res.writableFinished || left.abort());
  const { method, headers, url } = req;
  const body = ['GET', 'HEAD'].includes(method) ? null : Readable.toWeb(req);
  return new Request(`http://${headers.host}${url}`, {
    method,
    headers,
    body,
    duplex: 'half',
    signal: left.signal,
  });
}

function ownAnswer(path) {
  const status = { '/own': 200, '/fails': 500 }[path] ?? 404;
  return new Response({ 200: own.page, 500: own.failure }[status] ?? own.missing, { status });
}

async function answerFor(req, res) {
  try {
    return (await answer(requestOf(req, res), { address: req.socket.remoteAddress })) ?? ownAnswer(req.url);
  } catch {
    // There is no Request with the method TRACE.
    return new Response(own.failure, { status: 400 });
  }
}

listen(
  createServer(async (req, res) => {
    const response = await answerFor(req, res);
    res.writeHead(response.status, [...response.headers].flat());
    if (response.body) await pipeline(response.body, res).catch(() => undefined);
    else res.end();
  }),
);
