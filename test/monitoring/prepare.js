const { provideBetterSqlite3 } = require('../steps/provideBetterSqlite3');
const { providePrograms } = require('../steps/providePrograms');

/** Prometheus, and what the other tests need. */
async function prepare() {
  await providePrograms([{ programs: ['prometheus', 'promtool'], debianPackages: ['prometheus'] }]);
  await provideBetterSqlite3();
}

prepare().catch(({ message }) => {
  console.error(message);
  process.exitCode = 1;
});
