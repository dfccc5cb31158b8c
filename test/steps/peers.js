const { devDependencies, peerDependencies } = require('../../package.json');

/** The oldest release of each line of a peer that the module supports, as `koa@2.16.4`. */
function floorsOf(name) {
  return peerDependencies[name].split(' || ').map((range) => `${name}@${range.replace('^', '')}`);
}

/** The release of a peer that the tests use. */
function newest(name) {
  return `${name}@${devDependencies[name]}`;
}

module.exports = { floorsOf, newest };
