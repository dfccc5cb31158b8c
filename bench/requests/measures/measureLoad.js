const { rm } = require('node:fs/promises');
const { interleaved } = require('../../measures/interleaved');
const { ask } = require('./ask');
const { checkEquality } = require('./checkEquality');
const { measureStretch } = require('./measureStretch');
const { startContestant } = require('../servers/startContestant');
const { summaryOf } = require('./summaryOf');

const WARM_STRETCHES = 3;

/** Measures one load on new, warm contestants, with each number of connections. */
async function measureLoad(setting, load) {
  const servers = [];
  try {
    for (const subject of load.subjects) servers.push(await startContestant(setting, subject));
    await assignWork(setting, load, servers);
    await checkEquality(load, servers);
    const results = [];
    for (const connections of load.connections) {
      for (const server of servers) await warm(setting, server, connections);
      results.push({ connections, subjects: await measureRounds(setting, servers, connections) });
    }
    return { results };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await rm(setting.shared.LOG_FILE, { force: true });
  }
}

/** Warms up the compiler with each number of connections, because a panel runs for weeks. */
async function warm(setting, server, connections) {
  for (let stretch = 0; stretch < WARM_STRETCHES; stretch += 1) {
    await measureStretch(setting, server, connections);
  }
}

/** Assigns tokens and paths to each server. */
async function assignWork({ databases }, load, servers) {
  const ours = servers.find((server) => server.ours);
  const found = ours && (await load.find?.((path) => ask(ours, path, databases.panel.tokens[0])));
  for (const server of servers) {
    const { tokens } = databases[server.database];
    server.work = { tokens: tokens.slice(0, server.tokens), paths: load.paths(server, found) };
  }
}

async function measureRounds(setting, servers, connections) {
  const stretches = new Map(servers.map((server) => [server, []]));
  await interleaved(setting.rounds, servers, async (server) => {
    stretches.get(server).push(await measureStretch(setting, server, connections));
  });
  return servers.map((server) => {
    const { name, label, ours } = server;
    return { name, label, ours, ...summaryOf(stretches.get(server)) };
  });
}

module.exports = { measureLoad };
