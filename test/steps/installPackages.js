const { mkdirSync, rmdirSync, rmSync, writeFileSync } = require('node:fs');
const { dirname } = require('node:path');
const { canInstall, Missing } = require('../missing');
const { runCommand } = require('../runCommand');

/** While packages are installed, these files prevent Debian from starting services and creating clusters. */
const restraints = [
  { path: '/usr/sbin/policy-rc.d', text: '#!/bin/sh\nexit 101\n', mode: 0o755 },
  {
    path: '/etc/postgresql-common/createcluster.d/koa-panel-api.conf',
    text: 'create_main_cluster = false\n',
    mode: 0o644,
  },
];

async function installPackages(packages) {
  if (!canInstall()) {
    throw new Missing(
      `Install these Debian packages, or run npm test as root on Debian: ${packages.join(' ')}`,
    );
  }
  const lift = restrain();
  process.once('exit', lift);
  try {
    await install(packages).catch(async () => {
      // The package lists may be missing or out of date.
      await aptGet(['update']);
      await install(packages);
    });
  } finally {
    lift();
    process.off('exit', lift);
  }
}

function install(packages) {
  return aptGet(['install', '--yes', '--no-install-recommends', ...packages]);
}

function aptGet(args) {
  return runCommand('apt-get', ['--quiet', '--option', 'DPkg::Lock::Timeout=300', ...args], {
    env: { DEBIAN_FRONTEND: 'noninteractive' },
    minutes: 20,
  });
}

/** Writes the files that are missing, and returns a function that deletes them again. */
function restrain() {
  const takeBack = restraints.map(({ path, text, mode }) => {
    const parent = dirname(path);
    const parentIsNew = mkdirSync(parent, { recursive: true }) !== undefined;
    try {
      writeFileSync(path, text, { mode, flag: 'wx' });
    } catch (error) {
      if (error.code === 'EEXIST') return () => {};
      throw error;
    }
    return () => {
      rmSync(path, { force: true });
      if (parentIsNew) rmdirSync(parent);
    };
  });
  return () => {
    for (const take of takeBack) take();
  };
}

module.exports = { installPackages };
