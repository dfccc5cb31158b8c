const { running } = require('./running');

/** Jest's globalTeardown. */
module.exports = async function stopServers() {
  await Promise.all(running.splice(0).map((server) => server.stop()));
};
