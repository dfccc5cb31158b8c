const { join } = require('node:path');
const { startDatabase } = require('../database/startDatabase');
const { attempt } = require('../measures/attempt');
const { runBenchmark } = require('../processes/runBenchmark');
const { say } = require('../report/say');
const { startLoader } = require('./loader/startLoader');
const { DatabaseMeter } = require('./measures/DatabaseMeter');
const { measureLoad } = require('./measures/measureLoad');
const { readArguments } = require('./readArguments');
const { formatReport } = require('./report/formatReport');
const { seed } = require('./seed/seed');

runBenchmark(async (args) => {
  const { loads, seconds, rounds, json } = readArguments(args);
  const database = await startDatabase();
  const loader = startLoader();
  const meter = await DatabaseMeter.open(database);
  try {
    const tokens = await seed(database.url, { tables: ['domains'], tokens: 1000 }, say);
    const setting = {
      databases: { panel: { url: database.url, tokens } },
      shared: { LOG_FILE: join(database.folder, 'requests.log') },
      loader,
      meter,
      seconds,
      rounds,
    };
    const results = [];
    for (const load of loads) {
      say(`${load.name} …`);
      results.push({
        name: load.name,
        title: load.title,
        ...(await attempt(() => measureLoad(setting, load))),
      });
    }
    const report = { node: process.version, database: database.version, seconds, rounds, loads: results };
    console.log(json ? JSON.stringify(report, null, 2) : formatReport(report));
  } finally {
    meter.close();
    await loader.stop();
    await database.stop();
  }
});
