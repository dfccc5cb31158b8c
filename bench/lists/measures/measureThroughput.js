const { withServers } = require('../servers/withServers');
const { checkEquality } = require('./checkEquality');
const { interleaved, median } = require('../../statistics');
const { readWhole } = require('./readWhole');

/** Rows per second of the whole list. */
async function measureThroughput(setting, list) {
  return withServers(['naive', 'ours'], setting, async (naive, ours) => {
    await checkEquality(setting, list, naive, ours);
    const seconds = { naive: [], ours: [] };
    const bytes = {};
    await interleaved(setting.rounds, [naive, ours], async (server) => {
      const { kind } = server;
      const read = await readWhole(setting, server, list);
      seconds[kind].push(read.seconds);
      bytes[kind] = read.bytes;
    });
    const speed = (kind) => ({
      rowsPerSecond: list.rows / median(seconds[kind]),
      seconds: median(seconds[kind]),
      bytes: bytes[kind],
    });
    return {
      naive: speed('naive'),
      ours: speed('ours'),
      ratio: median(seconds.naive) / median(seconds.ours),
      logged: await ours.child.call('logged'),
    };
  });
}

module.exports = { measureThroughput };
