/** Jest's globalTeardown. */
module.exports = () => globalThis.stopTestServers();
