const { readArguments } = require('./readArguments');
const { startClient } = require('./client/startClient');
const { fillTables } = require('./database/fillTables');
const { startDatabase } = require('./database/startDatabase');
const { measureAll } = require('./measures/measureAll');
const { formatReport } = require('./report/formatReport');

async function main() {
  const { lists, warmth, rounds, json } = readArguments(process.argv.slice(2));
  const database = await startDatabase();
  const client = startClient();
  const otherClient = startClient();
  try {
    const seeded = lists.some(({ name }) => name === warmth.name) ? lists : [warmth, ...lists];
    await fillTables(database.url, seeded, say);
    const setting = { database, client, otherClient, rounds, warmth: warmth.name };
    const report = await measureAll(setting, lists, say);
    console.log(json ? JSON.stringify(report, null, 2) : formatReport(report));
    process.exitCode = report.failures === 0 ? 0 : 1;
  } finally {
    await Promise.all([client.stop(), otherClient.stop()]);
    await database.stop();
  }
}

// What comes while it runs; the report alone goes to standard output.
function say(text) {
  console.error(text);
}

// At an orderly exit the processes end, and what watches over the database's directory ends and removes that.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
