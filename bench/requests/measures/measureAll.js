const { attempt } = require('../../measures/attempt');
const { judge } = require('../aims/judge');
const { measureLoad } = require('./measureLoad');

/** Runs all loads and compares the results with the aims. */
async function measureAll(setting, loads, say) {
  const results = [];
  for (const load of loads) {
    say(`${load.name}: ${load.subjects.map(({ label }) => label).join('; ')} …`);
    const { name, title, against } = load;
    results.push({ name, title, against, ...(await attempt(() => measureLoad(setting, load))) });
  }
  const { database, rounds, seconds, skipped } = setting;
  return {
    node: process.version,
    database: database.version,
    rounds,
    seconds,
    skipped: skipped.map(({ label }) => label),
    loads: results,
    aims: judge(results),
    failures: results.filter(({ failure }) => failure !== undefined).length,
  };
}

module.exports = { measureAll };
