const { fillTables } = require('../../database/fillTables');
const { tables } = require('../tables');
const { seedTokens } = require('./seedTokens');

/** Fills a database, and gives its tokens that can be used. */
async function seed(url, { tables: names, tokens }, say) {
  await fillTables(
    url,
    names.map((name) => tables[name]),
    say,
  );
  const started = Date.now();
  const usable = await seedTokens(url, tokens);
  say(`tokens: ${tokens.toLocaleString('en')} made in ${Date.now() - started} ms`);
  return usable;
}

module.exports = { seed };
