const { provideBetterSqlite3 } = require('../steps/provideBetterSqlite3');
const { providePrograms } = require('../steps/providePrograms');
const { provideZabbix } = require('./provideZabbix');

/** Prometheus, PHP with the pages of Zabbix, and what the other tests need. */
async function prepare() {
  await providePrograms([
    { programs: ['prometheus', 'promtool'], debianPackages: ['prometheus'] },
    { programs: ['php'], debianPackages: ['php-cli'] },
  ]);
  await provideZabbix();
  await provideBetterSqlite3();
}

prepare().catch(({ message }) => {
  console.error(message);
  process.exitCode = 1;
});
