const { setTimeout: sleep } = require('node:timers/promises');
const { withServers } = require('../servers/withServers');
const { forgetPeak, peakBytes, residentBytes } = require('./memory');
const { readWhole } = require('./readWhole');

/**
 * Measures each server's resident memory at rest, warm and after garbage collection, and its increase during one read
 * of the list.
 */
async function measureMemory(setting, list) {
  const results = {};
  for (const kind of ['naive', 'ours']) {
    results[kind] = await withServers([kind], setting, (server) => measureOne(setting, list, server));
  }
  return results;
}

async function measureOne(setting, list, server) {
  const { child } = server;
  await child.call('collectGarbage');
  await sleep(500); // Memory is returned to the system a moment later.
  const idle = residentBytes(child.pid);
  forgetPeak(child.pid);
  await readWhole(setting, server, list);
  const peak = peakBytes(child.pid);
  return { idle, peak, above: peak - idle };
}

module.exports = { measureMemory };
