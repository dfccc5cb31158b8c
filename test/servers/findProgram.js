const { accessSync, constants, readdirSync } = require('node:fs');
const { delimiter, join } = require('node:path');

/** Returns the path of an installed program, or undefined. Debian keeps some servers outside of PATH. */
function findProgram(name) {
  return directories()
    .map((directory) => join(directory, name))
    .find(isExecutable);
}

function directories() {
  return [...postgresqlDirectories(), ...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
}

/** Newest version first: all programs of PostgreSQL must have the same version. */
function postgresqlDirectories() {
  const parent = '/usr/lib/postgresql';
  try {
    return readdirSync(parent)
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(parent, version, 'bin'));
  } catch {
    return [];
  }
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

module.exports = { findProgram };
