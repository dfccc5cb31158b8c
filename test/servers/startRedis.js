const { randomBytes } = require('node:crypto');
const { once } = require('node:events');
const { connect } = require('node:net');
const { join } = require('node:path');
const { ScratchDirectory } = require('../ScratchDirectory');
const { PrivateServer } = require('./PrivateServer');
const { freePort } = require('./freePort');
const { requireProgram } = require('./requireProgram');

async function startRedis() {
  const program = requireProgram('redis-server', 'redis-server');
  const directory = new ScratchDirectory('redis');
  const socket = join(directory.path, 'socket');
  const password = randomBytes(12).toString('hex');
  const port = await freePort();

  const server = new PrivateServer({
    directory,
    program,
    args: Object.entries({
      bind: '127.0.0.1',
      port: String(port),
      unixsocket: socket,
      requirepass: password,
      save: '',
      appendonly: 'no',
    }).flatMap(([name, value]) => [`--${name}`, value]),
    stopSignal: 'SIGTERM',
    url: `redis://:${password}@127.0.0.1:${port}/0`,
    port,
    socket,
    ready: async () => {
      const connection = connect(socket);
      await once(connection, 'connect');
      connection.destroy();
    },
  });
  await server.start();
  return server;
}

module.exports = { startRedis };
