const { join } = require('node:path');
const { ChildProcess } = require('../../processes/ChildProcess');

/** The load generator, in its own process. */
function startLoader() {
  return new ChildProcess(join(__dirname, 'process.js'));
}

module.exports = { startLoader };
