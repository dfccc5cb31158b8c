const { provideBetterSqlite3 } = require('../steps/provideBetterSqlite3');
const { providePrograms } = require('../steps/providePrograms');

/** What the clusters need beside the programs of the other tests. */
const needs = [
  // mariadb-server has the scripts with which a node of Galera copies its data to another.
  {
    programs: ['wsrep_sst_rsync', 'rsync', 'lsof'],
    debianPackages: ['mariadb-server', 'galera-4', 'rsync', 'lsof'],
  },
  { programs: ['pgbouncer'], debianPackages: ['pgbouncer'] },
];

async function prepare() {
  await providePrograms(needs);
  await provideBetterSqlite3();
}

prepare().catch(({ message }) => {
  console.error(message);
  process.exitCode = 1;
});
