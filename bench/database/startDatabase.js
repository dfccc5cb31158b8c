const { dirname } = require('node:path');
const { startMariadb } = require('../../test/servers/startMariadb');
const { openHandle } = require('./openHandle');

const name = 'panel';

/** A private MariaDB that keeps what it promises, as a panel's does, with an empty database. */
async function startDatabase() {
  const server = await startMariadb({ durable: true });
  const db = openHandle(server.url);
  try {
    await db.raw('create database ??', [name]);
    const [[{ version }]] = await db.raw('select version() as version');
    return {
      url: `${server.url}${name}`,
      version,
      pid: server.pid,
      // It goes with the database, whatever else is put into it.
      folder: dirname(server.socket),
      stop: () => server.stop(),
    };
  } finally {
    await db.destroy();
  }
}

module.exports = { startDatabase };
