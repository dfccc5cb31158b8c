const { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { runCommand } = require('../runCommand');
const { findProgram } = require('../servers/findProgram');
const { mysqlFolder } = require('../servers/mysqlFolder');

const SERVER = 'mysql-server-core';

/**
 * Downloads MySQL and all of its libraries from Debian's distribution sid, and extracts them into a folder of the tests.
 * Nothing is installed. apt checks the signatures of the lists and the digests of the packages.
 */
async function provideMysql() {
  if (existsSync(mysqlFolder)) return;
  if (!findProgram('apt-get'))
    throw new Error('MySQL is downloaded with apt: run this on Debian, or set MYSQL_URL.');
  const work = `${mysqlFolder}-new`;
  rmSync(work, { recursive: true, force: true });
  const root = join(work, 'root');
  for (const folder of ['lists/partial', 'archives/partial', 'root']) {
    mkdirSync(join(work, folder), { recursive: true });
  }
  const apt = await ownApt(work);
  await apt('update');
  await apt('install', '--download-only', '--yes', '--no-install-recommends', SERVER);
  const archives = join(work, 'archives');
  for (const name of readdirSync(archives).filter((name) => name.endsWith('.deb'))) {
    await runCommand('dpkg-deb', ['--extract', join(archives, name), root]);
  }
  renameSync(root, mysqlFolder);
  rmSync(work, { recursive: true });
}

/** Returns a function that runs apt-get with lists of its own, as on a machine on which nothing is installed. */
async function ownApt(work) {
  const sources = join(work, 'sources.list');
  const status = join(work, 'status');
  writeFileSync(sources, `deb ${await debianMirror()} sid main\n`);
  writeFileSync(status, '');
  const options = {
    'Dir::State': work,
    'Dir::State::status': status,
    'Dir::Cache': work,
    'Dir::Etc::sourcelist': sources,
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::Etc::preferencesparts': '/dev/null',
    'APT::Sandbox::User': '',
    'Acquire::Languages': 'none',
  };
  const words = Object.entries(options).flatMap(([name, value]) => ['--option', `${name}=${value}`]);
  return (...args) => runCommand('apt-get', ['--quiet', ...words, ...args], { minutes: 20 });
}

/** The address of Debian's archive in the configuration of this machine. */
async function debianMirror() {
  const targets = await runCommand('apt-get', [
    'indextargets',
    '--no-release-info',
    '--format=$(REPO_URI)',
    'Created-By: Packages',
    'Component: main',
  ]);
  const mirror = targets.split('\n').find((uri) => /\/debian\/?$/.test(uri));
  if (!mirror) throw new Error('The sources of apt name no mirror of Debian.');
  return mirror;
}

module.exports = { provideMysql };
