const { provideBetterSqlite3 } = require('./steps/provideBetterSqlite3');
const { providePrograms } = require('./steps/providePrograms');

/** Installs what the tests of databases and browsers need, if it is missing. */
async function prepare() {
  await providePrograms();
  await provideBetterSqlite3();
}

prepare().catch(({ message }) => {
  console.error(message);
  process.exitCode = 1;
});
