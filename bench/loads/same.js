const { account } = require('../columns');
const { contestants } = require('../contestants');
const { domains } = require('../tables').tables;

const {
  bare,
  'by-hand': byHand,
  'same-promises-database': handDatabase,
  'same-promises-memory': handMemory,
  database,
  memory,
  redis,
} = contestants;

const accounts = 1000;
const domainsOfAccount = 100;

const table = {
  ...domains,
  name: 'domains',
  rows: accounts * domainsOfAccount,
  columns: { ...domains.columns, account_id: account(accounts) },
};

module.exports = {
  name: 'same',
  title: `${domainsOfAccount} domains, all asking for the same`,
  connections: [1, 16, 64],
  subjects: [bare, byHand, handDatabase, handMemory, database, memory, redis],
  tables: [table],
  accounts,
  paths: () => ['domains.php?account_id=1'],
  compared: ({ data }) => data.items,
};
