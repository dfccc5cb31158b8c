const { findProgram } = require('../../../test/servers/findProgram');
const { startRedis } = require('../../../test/servers/startRedis');

/** A private Redis; null if it is not installed. */
async function startRedisIfThere() {
  return findProgram('redis-server') ? startRedis() : null;
}

module.exports = { startRedisIfThere };
