const { existsSync, mkdirSync, readdirSync, renameSync, rmSync } = require('node:fs');
const { join } = require('node:path');
const { runCommand } = require('../runCommand');
const { mysqlFolder } = require('../servers/mysqlFolder');
const { ownApt } = require('./ownApt');

const SERVER = 'mysql-server-core';

/**
 * Downloads MySQL and all of its libraries from Debian's distribution sid, and extracts them into a folder of the tests.
 * Nothing is installed.
 */
async function provideMysql() {
  if (existsSync(mysqlFolder)) return;
  const work = `${mysqlFolder}-new`;
  rmSync(work, { recursive: true, force: true });
  const root = join(work, 'root');
  mkdirSync(root, { recursive: true });
  const apt = await ownApt(work, 'sid');
  await apt('update');
  await apt('install', '--download-only', '--yes', '--no-install-recommends', SERVER);
  const archives = join(work, 'archives');
  for (const name of readdirSync(archives).filter((name) => name.endsWith('.deb'))) {
    await runCommand('dpkg-deb', ['--extract', join(archives, name), root]);
  }
  renameSync(root, mysqlFolder);
  rmSync(work, { recursive: true });
}

module.exports = { provideMysql };
