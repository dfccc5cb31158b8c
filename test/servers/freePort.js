const { randomInt } = require('node:crypto');
const { once } = require('node:events');
const { createServer } = require('node:net');

/**
 * Returns a port on which no process listens. It is below the range of outgoing connections, so that a killed server
 * can use it again.
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
