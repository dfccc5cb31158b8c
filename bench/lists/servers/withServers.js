const { startServer } = require('./startServer');

/** Runs the task with fresh servers of these kinds, and stops them. */
async function withServers(kinds, { database, client, warmth }, task) {
  const servers = [];
  try {
    for (const kind of kinds) servers.push(await startServer(kind, database.url, client, warmth));
    return await task(...servers);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

module.exports = { withServers };
