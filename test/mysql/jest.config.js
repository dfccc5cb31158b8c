// Every worker receives them.
process.env.TEST_MYSQL = '1';
process.env.TEST_ENGINES = 'mariadb';

/** The tests that concern MariaDB, on MySQL. */
module.exports = {
  ...require('../jest.config'),
  rootDir: '../..',
  filter: '<rootDir>/test/mysql/concernsMariadb.js',
};
