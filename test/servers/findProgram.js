const { accessSync, constants, readdirSync } = require('node:fs');
const { delimiter, join } = require('node:path');

/** The path of an installed program, or undefined. Debian keeps some servers outside of PATH. */
function findProgram(name) {
  return directories()
    .map((directory) => join(directory, name))
    .find(isExecutable);
}

function directories() {
  return [...postgresqlDirectories(), ...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
}

/** The newest version first: all of PostgreSQL's programs have to come from the same one. */
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
