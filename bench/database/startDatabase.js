const { dirname } = require('node:path');
const { startMariadb } = require('../../test/servers/startMariadb');
const { addDatabase } = require('./addDatabase');
const { openHandle } = require('./openHandle');

/** A private MariaDB that keeps what it promises, as a panel's does, with an empty database. */
async function startDatabase() {
  const server = await startMariadb({ durable: true });
  const url = await addDatabase(server.url, 'panel');
  return {
    url,
    version: await versionOf(url),
    pid: server.pid,
    // It goes with the database, whatever else is put into it.
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
