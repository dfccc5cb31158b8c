const { addDatabase } = require('../../database/addDatabase');
const { fillTables } = require('../../database/fillTables');
const { databases } = require('../databases');
const { tables } = require('../tables');
const { seedTokens } = require('./seedTokens');

/** Creates the databases that the loads need. Returns their URLs and the tokens of each. */
async function seed(url, loads, say) {
  const names = new Set(loads.flatMap((load) => load.tables));
  await fillTables(
    url,
    [...names].map((name) => tables[name]),
    say,
  );
  const seeded = { panel: await withTokens(url, 'panel', say) };
  if (loads.some(({ subjects }) => subjects.some(({ database }) => database === 'million'))) {
    seeded.million = await withTokens(await addDatabase(url, 'million'), 'million', say);
  }
  return seeded;
}

async function withTokens(url, name, say) {
  const started = Date.now();
  const tokens = await seedTokens(url, databases[name]);
  say(`tokens: ${databases[name].toLocaleString('en')} made in ${Date.now() - started} ms`);
  return { url, tokens };
}

module.exports = { seed };
