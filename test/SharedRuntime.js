const { compileFunction } = require('node:vm');
const { createRequire, isBuiltin } = require('node:module');
const { join, sep } = require('node:path');
const { default: Runtime } = require('jest-runtime');

const modules = `${sep}node_modules${sep}`;
const root = join(__dirname, '..') + sep;
const tests = __dirname + sep;
/** It compiles schemas for longer than many test files run. It holds nothing of a test file. */
const checkAnswer = join(__dirname, 'fixture', 'checkAnswer.ts');

/** Of all test files of this worker. */
const sourceMaps = new Map();
let current;

require.extensions['.ts'] = (module, filename) =>
  module._compile(current.transformCache.transform(filename), filename);

/**
 * Loads the packages and the module's own files once for all test files of a worker, as a panel does, and the files of
 * the tests anew for each. Jest would load everything for each test file, which takes longer than most of them. A file
 * that mocks a module gets what it loads from then on for itself.
 */
module.exports = class SharedRuntime extends Runtime {
  #mocks = false;

  constructor(...args) {
    super(...args);
    current = this;
    this.transformCache.sourceMaps = sourceMaps;
    const { executor } = this;
    executor.compile = (code, filename) =>
      compileFunction(code, executor.injectedModuleParameters, { filename });
  }

  setMock(...args) {
    this.#mocks = true;
    super.setMock(...args);
  }

  requireModuleOrMock(from, name) {
    if (this.#mocks || isBuiltin(name)) return super.requireModuleOrMock(from, name);
    const path = this._resolution.resolveCjs(from, name);
    return isShared(path) ? require(path) : super.requireModuleOrMock(from, name);
  }

  /** Jest's own packages too. */
  requireInternalModule(from, name) {
    if (name === undefined || name.startsWith('.') || isBuiltin(name))
      return super.requireInternalModule(from, name);
    return createRequire(from)(name);
  }
};

function isShared(path) {
  return path.includes(modules) || path === checkAnswer || (path.startsWith(root) && !path.startsWith(tests));
}
