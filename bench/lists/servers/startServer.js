const { join } = require('node:path');
const { ChildProcess } = require('../../processes');

const flags = {
  // A naive handler holds all rows and the whole text at once; with Node's default heap it would fail at a million
  // rows.
  naive: ['--expose-gc', '--max-old-space-size=8192'],
  ours: ['--expose-gc'],
};

const warmingRequests = 50;
const warmingReads = 3;

/** A naive server or ours, in a new process that has already answered `warmth`, a small list, a few times. */
async function startServer(kind, databaseUrl, client, warmth) {
  const child = new ChildProcess(join(__dirname, `${kind}.js`), {
    flags: flags[kind],
    env: { DATABASE_URL: databaseUrl },
  });
  try {
    const target = await child.call('start');
    for (let i = 0; i < warmingRequests; i++) await client.call('get', target, 'me.php');
    for (let i = 0; i < warmingReads; i++) await client.call('readList', target, `${warmth}.php`);
    return { kind, child, target, stop: () => child.stop() };
  } catch (error) {
    await child.stop();
    throw error;
  }
}

module.exports = { startServer };
