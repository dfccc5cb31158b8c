const { join } = require('node:path');
const { startDatabase } = require('../database/startDatabase');
const { runBenchmark } = require('../processes/runBenchmark');
const { say } = require('../report/say');
const { startLoader } = require('./loader/startLoader');
const { withContestants } = require('./loads/withContestants');
const { DatabaseMeter } = require('./measures/DatabaseMeter');
const { measureAll } = require('./measures/measureAll');
const { readArguments } = require('./readArguments');
const { formatReport } = require('./report/formatReport');
const { seed } = require('./seed/seed');
const { startRedisIfThere } = require('./servers/startRedisIfThere');

runBenchmark(async (args) => {
  const { loads, contestants, seconds, rounds, json } = readArguments(args);
  const redis = contestants.some(({ name }) => name === 'redis') ? await startRedisIfThere() : null;
  const present = contestants.filter(({ name }) => name !== 'redis' || redis);
  const skipped = contestants.filter((contestant) => !present.includes(contestant));
  const measured = withContestants(loads, present);
  const database = await startDatabase();
  const meter = await DatabaseMeter.open(database);
  const loader = startLoader();
  try {
    const databases = await seed(database.url, measured, say);
    const shared = { LOG_FILE: join(database.folder, 'requests.log'), REDIS_URL: redis?.url };
    const setting = { database, databases, meter, loader, shared, seconds, rounds, skipped };
    const report = await measureAll(setting, measured, say);
    console.log(json ? JSON.stringify(report, null, 2) : formatReport(report));
    process.exitCode = report.failures === 0 ? 0 : 1;
  } finally {
    meter.close();
    await loader.stop();
    await Promise.all([database.stop(), redis?.stop()]);
  }
});
