const { Missing } = require('../missing');
const { findProgram } = require('./findProgram');

/** The path of a program that a test starts. Throws `Missing` if it is not installed. */
function requireProgram(name, debianPackage) {
  const path = findProgram(name);
  if (!path) {
    throw new Missing(`${name} is missing (Debian package ${debianPackage})`);
  }
  return path;
}

module.exports = { requireProgram };
