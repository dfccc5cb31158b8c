const { join } = require('node:path');
const { ChildProcess } = require('../../processes');

/** A client in its own process. */
function startClient() {
  return new ChildProcess(join(__dirname, 'client.js'));
}

module.exports = { startClient };
