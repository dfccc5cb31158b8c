const { peerDependencies } = require('../../package.json');

/** The oldest release of each line of a peer that the module supports, as `koa@2.16.4`. */
function floorsOf(name) {
  return peerDependencies[name].split(' || ').map((range) => `${name}@${range.replace('^', '')}`);
}

module.exports = { floorsOf };
