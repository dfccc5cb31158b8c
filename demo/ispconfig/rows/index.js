/** Invented rows for every table, by the table's name. Whatever must never leave contains NEVERLEAVES. */
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
