const { findProgram } = require('../servers/findProgram');
const { installPackages } = require('./installPackages');

/** The programs that the tests start, their Debian packages, and the variable that names another one. */
const needs = [
  {
    programs: ['mariadbd', 'mariadb-install-db', 'my_print_defaults', 'mariadb-dump'],
    debianPackages: ['mariadb-server-core', 'mariadb-client-core', 'mariadb-client'],
  },
  { programs: ['postgres', 'initdb', 'pg_dump'], debianPackages: ['postgresql'] },
  { programs: ['sqlite3'], debianPackages: ['sqlite3'] },
  { programs: ['redis-server'], debianPackages: ['redis-server'] },
  { programs: ['nginx', 'openssl'], debianPackages: ['nginx', 'openssl'] },
  {
    variable: 'CHROMIUM',
    programs: ['chromium', 'chromium-headless-shell'],
    debianPackages: ['chromium', 'chromium-headless-shell', 'fonts-dejavu-core'],
  },
  { programs: ['curl', 'jq', 'script', 'wrk'], debianPackages: ['curl', 'jq', 'bsdutils', 'wrk'] },
];

/**
 * Installs the programs that the tests need and this machine lacks, these beside the usual ones. Throws `Missing` if it
 * cannot.
 */
async function providePrograms(more = []) {
  const missing = [...needs, ...more].filter(
    ({ variable, programs }) => !(variable && process.env[variable]) && !programs.every(findProgram),
  );
  if (missing.length > 0) await installPackages(missing.flatMap(({ debianPackages }) => debianPackages));
}

module.exports = { providePrograms };
