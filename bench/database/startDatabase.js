const { dirname } = require('node:path');
const { startMariadb } = require('../../test/servers/startMariadb');
const { addDatabase } = require('./addDatabase');
const { openHandle } = require('./openHandle');

/** A private MariaDB with an empty database. It is durable, like a panel's. */
async function startDatabase() {
  const server = await startMariadb({ durable: true });
  const url = await addDatabase(server.url, 'panel');
  return {
    url,
    version: await versionOf(url),
    pid: server.pid,
    // The folder is deleted with the database, including any other files in it.
    folder: dirname(server.socket),
    stop: () => server.stop(),
  };
}

async function versionOf(url) {
  const db = openHandle(url);
  try {
    const [[{ version }]] = await db.raw('select version() as version');
    return version;
  } finally {
    await db.destroy();
  }
}

module.exports = { startDatabase };
