const { createAnswer, own, ownAnswer, listening } = require('./panel.cjs');

const answer = createAnswer();

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request, server) {
    const { address } = server.requestIP(request);
    return answer(request, { address }) ?? ownAnswer(request);
  },
  error: () => new Response(own.failure, { status: 500 }),
});
void listening(server.port);
