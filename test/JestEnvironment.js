const { AsyncLocalStorage } = require('node:async_hooks');
const { TestEnvironment } = require('jest-environment-node');

const used = new Set();
const { run } = AsyncLocalStorage.prototype;

AsyncLocalStorage.prototype.run = function runAndNote(...args) {
  used.add(this);
  return run.apply(this, args);
};

// If jest is killed, a worker would finish its test file, and keep its servers and processes until then.
process.once('disconnect', () => process.exit(1));

/**
 * Disables what Jest leaves behind: it uses an AsyncLocalStorage for each test file, and before Node 24 every promise
 * of the later files in the same worker costs a step for each of them.
 */
module.exports = class JestEnvironment extends TestEnvironment {
  async teardown() {
    for (const storage of used) storage.disable();
    used.clear();
    await super.teardown();
  }
};
