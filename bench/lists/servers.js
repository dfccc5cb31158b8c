const { withServers } = require('../frame/servers');

const warmingRequests = 50;
const warmingReads = 3;

/** Runs the task with new servers of these names, which have answered a small list a few times. */
async function withWarm(names, setting, task) {
  const { client, subjects, token } = setting;
  return withServers(
    setting,
    names.map((name) => subjects[name]),
    async (...servers) => {
      const targets = servers.map(({ label, url, children: [child] }) => ({ label, url, token, child }));
      for (const { url } of targets) {
        for (let asked = 0; asked < warmingRequests; asked++)
          await client.call('get', { url, token }, 'me.php');
        for (let read = 0; read < warmingReads; read++)
          await client.call('readList', { url, token }, 'domains.php');
      }
      return task(...targets);
    },
  );
}

/** One read of the whole list from a server; see readList. */
async function readWhole({ client }, { label, url, token }, { name }, wanted) {
  try {
    return await client.call('readList', { url, token }, `${name}.php`, wanted);
  } catch (error) {
    throw new Error(`${label}: ${error.message}`, { cause: error });
  }
}

module.exports = { readWhole, withWarm };
