const { ScratchDirectory } = require('./ScratchDirectory');
const { startMariadb } = require('./startMariadb');
const { startPostgresql } = require('./startPostgresql');
const { startRedis } = require('./startRedis');
const { running } = require('./running');

/** Jest's globalSetup: what it puts into the environment reaches every worker. */
module.exports = async function startServers() {
  const directory = new ScratchDirectory('sqlite');
  running.push({ stop: () => directory.remove() });
  process.env.TEST_SQLITE_DIRECTORY = directory.path;
  await Promise.all([
    provide('TEST_MYSQL_URL', process.env.MYSQL_URL, startMariadb),
    provide('TEST_POSTGRES_URL', process.env.POSTGRES_URL, startPostgresql),
    provide('TEST_REDIS_URL', process.env.REDIS_URL, startRedis),
  ]);
};

async function provide(variable, givenUrl, start) {
  if (givenUrl) {
    process.env[variable] = givenUrl;
    return;
  }
  const server = await start();
  running.push(server);
  process.env[variable] = server.url;
}
