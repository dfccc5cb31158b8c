const { startServer } = require('./startServer');

/** Runs the task with new servers of these kinds, then stops them. */
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
