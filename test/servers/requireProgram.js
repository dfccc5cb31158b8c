const { findProgram } = require('./findProgram');

/** The path of a program that a private server requires. Throws if it is not installed. */
function requireProgram(name, debianPackage) {
  const path = findProgram(name);
  if (!path) {
    throw new Error(
      `${name} is missing: run npm test as root once, or install the Debian package ${debianPackage}.`,
    );
  }
  return path;
}

module.exports = { requireProgram };
