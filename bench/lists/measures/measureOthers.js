const { setTimeout: sleep } = require('node:timers/promises');
const { withServers } = require('../servers/withServers');
const { interleaved, latency, quantile } = require('../../statistics');
const { readWhole } = require('./readWhole');

const quietMs = 3000;

/** How long a second client waits for `me.php`, at rest and while the first one reads the whole list. */
async function measureOthers(setting, list) {
  return withServers(['naive', 'ours'], setting, async (naive, ours) => {
    const results = {};
    for (const { kind, target } of [naive, ours]) {
      const quiet = await probed(setting, target, () => sleep(quietMs));
      results[kind] = { quiet: latency(quiet), answers: [], delays: [] };
    }
    await interleaved(setting.rounds, [naive, ours], async (server) => {
      const { kind, child, target } = server;
      await child.call('watchDelay');
      const read = () => readWhole(setting, server, list);
      results[kind].answers.push(...(await probed(setting, target, read)));
      results[kind].delays.push(await child.call('delay'));
    });
    return { naive: summaryOf(results.naive), ours: summaryOf(results.ours) };
  });
}

async function probed({ otherClient }, target, task) {
  await otherClient.call('startProbing', target, 'me.php');
  await task().catch(async (error) => {
    await otherClient.call('stopProbing').catch(() => {});
    throw error;
  });
  return otherClient.call('stopProbing');
}

function summaryOf({ quiet, answers, delays }) {
  const worst = (name) => Math.max(...delays.map((delay) => delay[name]));
  const middle = (name) =>
    quantile(
      delays.map((delay) => delay[name]),
      0.5,
    );
  return {
    quiet,
    whileReading: latency(answers),
    loopDelay: { p50: middle('p50'), p99: middle('p99'), max: worst('max') },
  };
}

module.exports = { measureOthers };
