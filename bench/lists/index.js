const { fillTables, startDatabase } = require('../database');
const { runBenchmark, say } = require('../processes');
const { startClient } = require('./client/startClient');
const { measureAll } = require('./measures/measureAll');
const { readArguments } = require('./readArguments');
const { formatReport } = require('./report/formatReport');

runBenchmark(async (args) => {
  const { lists, warmth, rounds, json } = readArguments(args);
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
});
