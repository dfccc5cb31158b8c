const { findProgram } = require('../servers/findProgram');
const { installPackages } = require('./installPackages');
const { provideBetterSqlite3 } = require('./provideBetterSqlite3');

/** What the tests start, the Debian packages that bring it, and the variable that says it runs elsewhere already. */
const needs = [
  {
    variable: 'MYSQL_URL',
    programs: ['mariadbd', 'mariadb-install-db', 'my_print_defaults'],
    debianPackages: ['mariadb-server-core', 'mariadb-client-core'],
  },
  { variable: 'POSTGRES_URL', programs: ['postgres', 'initdb'], debianPackages: ['postgresql'] },
  { variable: 'REDIS_URL', programs: ['redis-server'], debianPackages: ['redis-server'] },
  { variable: 'CHROMIUM', programs: ['chromium'], debianPackages: ['chromium', 'fonts-dejavu-core'] },
];

/** Installs what the tests need and this machine lacks. */
async function provision() {
  const missing = needs.filter(
    ({ variable, programs }) => !process.env[variable] && !programs.every(findProgram),
  );
  if (missing.length > 0) await installPackages(missing.flatMap(({ debianPackages }) => debianPackages));
  await provideBetterSqlite3();
}

module.exports = { provision };
