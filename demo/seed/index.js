const createRandom = require('./random');
const storedRow = require('./stored-row');
const accountTotals = require('./account-totals');

const seedVersion = 5;

// In the order in which rows refer to one another.
const tables = {
  accounts: require('./tables/accounts'),
  domains: require('./tables/domains'),
  websites: require('./tables/websites'),
  email: require('./tables/email'),
  databases: require('./tables/databases'),
  ssl: require('./tables/ssl'),
  backups: require('./tables/backups'),
  jobs: require('./tables/jobs'),
  cron: require('./tables/cron'),
  services: require('./tables/services'),
  settings: require('./tables/settings'),
  mails: require('../mails'),
};

function generate() {
  const now = Date.now();
  const panel = { random: createRandom(20260612), now, at: (ms) => new Date(ms) };
  for (const [name, table] of Object.entries(tables)) panel[name] = table.rows(panel);
  accountTotals(panel);
  return panel;
}

module.exports = async function seed(db) {
  const [{ user_version: found }] = await db.raw('pragma user_version');
  if (found === seedVersion) return;

  const panel = generate();
  await db.transaction(async (trx) => {
    // Domains and websites refer to each other.
    await trx.raw('pragma defer_foreign_keys = on');
    for (const name of Object.keys(tables)) await trx.schema.dropTableIfExists(name);
    for (const [name, table] of Object.entries(tables)) await trx.schema.createTable(name, table.columns);
    for (const name of Object.keys(tables)) {
      // SQLite takes at most 500 rows in one statement.
      await trx.batchInsert(name, panel[name].map(storedRow), 100);
    }
    await trx.raw(`pragma user_version = ${seedVersion}`);
  });
};
