const { AsyncLocalStorage } = require('node:async_hooks');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
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

/** The beginnings of the names of the global variables in which Jest keeps what concerns one test file. */
const OF_ONE_FILE = /^(JEST_STATE|EVENT_HANDLERS|TEST_TIMEOUT|RETRY|LOG_ERRORS|WAIT_BEFORE)/;

/**
 * Runs the test files in the global scope of their worker, as `SharedRuntime` needs it. Disables what Jest leaves behind:
 * it uses an AsyncLocalStorage for each test file, and before Node 24 every promise of the later files in the same worker
 * costs a step for each of them. Skips a test that needs something that this machine lacks, if the run may leave it out.
 */
module.exports = class JestEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  #leavesOut = false;
  // Jest replaces both for each test file.
  #console = globalThis.console;
  #exit = process.exit;

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }

  async setup() {}

  handleTestEvent({ name, test, hook }, state) {
    if (name === 'test_done' && leaveOut(test)) this.#leavesOut = true;
    // The end of what was never begun.
    if (name === 'hook_failure' && hook.type === 'afterAll' && this.#leavesOut) state.unhandledErrors.pop();
  }

  async teardown() {
    for (const storage of used) storage.disable();
    used.clear();
    this.fakeTimersModern.dispose();
    globalThis.console = this.#console;
    process.exit = this.#exit;
    for (const symbol of Object.getOwnPropertySymbols(globalThis))
      if (OF_ONE_FILE.test(symbol.description)) delete globalThis[symbol];
  }
};
