const path = require('node:path');
const knex = require('knex');

module.exports = function openDatabase() {
  return knex({
    client: 'better-sqlite3',
    connection: { filename: path.join(__dirname, 'panel.sqlite') },
    useNullAsDefault: true,
    pool: {
      afterCreate(connection, done) {
        // The command-line tool may write to the same file while the panel runs.
        connection.pragma('journal_mode = WAL');
        connection.pragma('busy_timeout = 3000');
        done(null, connection);
      },
    },
  });
};
