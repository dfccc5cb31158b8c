const { attempt } = require('../../statistics');
const { measureCounts } = require('./measureCounts');
const { measureMemory } = require('./measureMemory');
const { measureOrders } = require('./measureOrders');
const { measureOthers } = require('./measureOthers');
const { measurePages } = require('./measurePages');
const { measureThroughput } = require('./measureThroughput');

/** Runs all measurements: each list, and further ones of the largest list. */
async function measureAll(setting, lists, say) {
  const results = [];
  for (const list of lists) {
    say(`${list.name}: whole reads, ours and naive in turn …`);
    const throughput = await attempt(() => measureThroughput(setting, list));
    say(`${list.name}: memory …`);
    const memory = throughput.failure ? throughput : await attempt(() => measureMemory(setting, list));
    results.push({ name: list.name, rows: list.rows, throughput, memory });
  }
  const largest = lists.reduce((most, list) => (list.rows > most.rows ? list : most));
  say(`${largest.name}: other clients' answers meanwhile …`);
  const others = await attempt(() => measureOthers(setting, largest));
  say(`${largest.name}: pages …`);
  const pages = await attempt(() => measurePages(setting, largest));
  say(`${largest.name}: counts …`);
  const counts = await attempt(() => measureCounts(setting, largest));
  say(`${largest.name}: orders …`);
  const orders = await attempt(() => measureOrders(setting, largest));

  const measured = [others, pages, orders, counts];
  const parts = [...results.flatMap(({ throughput, memory }) => [throughput, memory]), ...measured];
  return {
    node: process.version,
    database: setting.database.version,
    rounds: setting.rounds,
    lists: results,
    largest: { name: largest.name, rows: largest.rows, others, pages, orders, counts },
    failures: parts.filter(({ failure }) => failure !== undefined).length,
  };
}

module.exports = { measureAll };
