const { createAnswer, own, ownAnswer, listening } = require('./panel.cjs');

const answer = createAnswer();

const server = Deno.serve(
  {
    hostname: '127.0.0.1',
    port: 0,
    onListen: () => undefined,
    onError: () => new Response(own.failure, { status: 500 }),
  },
  (request, { remoteAddr }) => answer(request, { address: remoteAddr.hostname }) ?? ownAnswer(request),
);
void listening(server.addr.port);
