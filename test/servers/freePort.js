const { randomInt } = require('node:crypto');
const { once } = require('node:events');
const { createServer } = require('node:net');

/**
 * A port nobody listens on. It lies below the range that outgoing connections take theirs from,
 * so that a server which is killed finds it free again.
 */
async function freePort() {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
}

async function isFree(port) {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return true;
  } catch {
    return false;
  }
}

module.exports = { freePort };
