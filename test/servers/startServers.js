const { createServer } = require('node:http');
const { join } = require('node:path');
const { createConnection } = require('mysql2/promise');
const { countedReasons, reasonsIn } = require('../missing');
const { ScratchDirectory } = require('../ScratchDirectory');
const { startMariadb } = require('./startMariadb');
const { startMysql } = require('./startMysql');
const { startPostgresql } = require('./startPostgresql');
const { startRedis } = require('./startRedis');

const servers = {
  mariadb: {
    given: process.env.MYSQL_URL,
    start: () => (process.env.TEST_MYSQL ? startMysql() : startMariadb()),
  },
  postgresql: { given: process.env.POSTGRES_URL, start: startPostgresql },
  redis: { given: process.env.REDIS_URL, start: startRedis },
};

/**
 * Jest's globalSetup. It starts no server, but answers `serverUrl` of the test files, which run in other processes, and
 * starts each server on its first call.
 */
module.exports = async function startServers() {
  const directory = new ScratchDirectory('tests');
  const started = new Map();
  const desk = createServer(async ({ url: path }, response) => {
    const name = path.slice(1);
    if (!started.has(name)) started.set(name, provide(servers[name]));
    try {
      response.end((await started.get(name)).url);
    } catch (error) {
      response.writeHead(error.name === 'Missing' ? 501 : 500).end(error.message);
    }
  });
  await new Promise((resolve) => desk.listen(join(directory.path, 'servers'), resolve));
  // Every worker receives the environment of globalSetup.
  process.env.TEST_DIRECTORY = directory.path;
  // The processes that the tests start load the same modules again and again.
  process.env.NODE_COMPILE_CACHE = join(directory.path, 'compiled-by-node');
  process.env.TEST_LEFT_OUT ??= join(directory.path, 'left-out');
  if (servers.mariadb.given && !(await isMariadb(servers.mariadb.given))) process.env.TEST_MYSQL = '1';
  globalThis.stopTestServers = async () => {
    desk.close();
    for (const line of countedReasons(reasonsIn(process.env.TEST_LEFT_OUT))) console.error(line);
    await Promise.allSettled([...started.values()].map(async (server) => (await server).stop?.()));
    await directory.remove();
  };
};

async function provide({ given, start }) {
  return given ? { url: given } : start();
}

async function isMariadb(url) {
  const connection = await createConnection(url);
  try {
    const [[{ version }]] = await connection.query('select version() as version');
    return /mariadb/i.test(version);
  } finally {
    await connection.end();
  }
}
