const { interleaved } = require('../../measures/interleaved');
const { startServer } = require('../servers/startServer');
const { checkEquality } = require('./checkEquality');
const { measureStretch } = require('./measureStretch');
const { summaryOf } = require('./summaryOf');

/** One load, on fresh and warm contestants, at each number of connections. */
async function measureLoad(setting, load) {
  const servers = [];
  try {
    for (const subject of load.subjects) servers.push(await serverOf(setting, load, subject));
    await checkEquality(load, servers);
    for (const server of servers) await measureStretch(setting, server, Math.max(...load.connections));
    const results = [];
    for (const connections of load.connections) {
      results.push({ connections, subjects: await measureRounds(setting, servers, connections) });
    }
    return { results };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

async function serverOf({ databases, shared }, load, subject) {
  const { url, tokens } = databases[subject.database ?? 'panel'];
  const server = await startServer(subject, { ...shared, DATABASE_URL: url });
  const work = { tokens: tokens.slice(0, subject.tokens ?? 1), paths: load.paths(subject) };
  return { ...server, ...subject, work };
}

async function measureRounds(setting, servers, connections) {
  const stretches = new Map(servers.map((server) => [server, []]));
  await interleaved(setting.rounds, servers, async (server) => {
    stretches.get(server).push(await measureStretch(setting, server, connections));
  });
  return servers.map((server) => ({
    name: server.name,
    label: server.label,
    ours: server.ours ?? false,
    ...summaryOf(stretches.get(server)),
  }));
}

module.exports = { measureLoad };
