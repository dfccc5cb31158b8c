/** Invented rows for every table, by table name. Values that must never be exposed contain NEVERLEAVES. */
module.exports = {
  ...require('./accounts'),
  ...require('./servers'),
  ...require('./web'),
  ...require('./mail'),
  ...require('./databases'),
  ...require('./backups'),
  ...require('./jobs'),
  ...require('./cron'),
  ...require('./settings'),
};
