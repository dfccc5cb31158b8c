const { join } = require('node:path');
const { ChildProcess } = require('../../processes/ChildProcess');

/** A client in a process of its own. */
function startClient() {
  return new ChildProcess(join(__dirname, 'client.js'));
}

module.exports = { startClient };
