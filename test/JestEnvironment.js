const { AsyncLocalStorage } = require('node:async_hooks');
const { TestEnvironment } = require('jest-environment-node');
const { leaveOut } = require('./missing');

const used = new Set();
const { run } = AsyncLocalStorage.prototype;

AsyncLocalStorage.prototype.run = function runAndNote(...args) {
  used.add(this);
  return run.apply(this, args);
};

// If jest is killed, a worker would finish its test file, and keep its servers and processes until then. A listener of
// `disconnect` would keep the worker alive after its last file.
if (process.connected) setInterval(() => process.connected || process.exit(1), 500).unref();

/**
 * Disables what Jest leaves behind: it uses an AsyncLocalStorage for each test file, and before Node 24 every promise
 * of the later files in the same worker costs a step for each of them. Skips a test that needs something that this
 * machine lacks, if the run may leave it out.
 */
module.exports = class JestEnvironment extends TestEnvironment {
  #leavesOut = false;

  handleTestEvent({ name, test, hook }, state) {
    if (name === 'test_done' && leaveOut(test)) this.#leavesOut = true;
    // The end of what was never begun.
    if (name === 'hook_failure' && hook.type === 'afterAll' && this.#leavesOut) state.unhandledErrors.pop();
  }

  async teardown() {
    for (const storage of used) storage.disable();
    used.clear();
    await super.teardown();
  }
};
