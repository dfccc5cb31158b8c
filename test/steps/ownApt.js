const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { runCommand } = require('../runCommand');
const { findProgram } = require('../servers/findProgram');

/**
 * Returns a function that runs apt-get in a folder, with lists of its own of this suite of Debian, as on a machine on
 * which nothing is installed. apt checks the signatures of the lists and the digests of the packages.
 */
async function ownApt(work, suite) {
  if (!findProgram('apt-get')) throw new Error('Packages are downloaded with apt: run this on Debian.');
  for (const folder of ['lists/partial', 'archives/partial'])
    mkdirSync(join(work, folder), { recursive: true });
  const sources = join(work, 'sources.list');
  const status = join(work, 'status');
  writeFileSync(sources, `deb ${await debianMirror()} ${suite} main\n`);
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
  return (...args) => runCommand('apt-get', ['--quiet', ...words, ...args], { cwd: work, minutes: 20 });
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

module.exports = { ownApt };
