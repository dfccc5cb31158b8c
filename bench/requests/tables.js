const { account } = require('../tables/columns');
const { domains, jobs } = require('../tables').tables;

const accounts = 1000;
const domainsOfAccount = 100;

/** The data of the loads: 1,000 accounts with 100 domains each, and a million jobs. */
const tables = {
  domains: {
    ...domains,
    name: 'domains',
    rows: accounts * domainsOfAccount,
    columns: { ...domains.columns, account_id: account(accounts) },
  },
  jobs: { ...jobs, name: 'jobs' },
};

module.exports = { accounts, tables };
