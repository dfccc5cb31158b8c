/** The lists in the order in which they are measured: each table is named as its resource, its columns as the fields. */
const tables = {
  domains: require('./domains'),
  email: require('./email'),
  jobs: require('./jobs'),
  accounts: require('./accounts'),
  websites: require('./websites'),
  databases: require('./databases'),
  ssl: require('./ssl'),
  backups: require('./backups'),
  cron: require('./cron'),
};

module.exports = { tables };
