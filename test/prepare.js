const { provideBetterSqlite3 } = require('./steps/provideBetterSqlite3');
const { providePrograms } = require('./steps/providePrograms');

/** Installs the missing packages and programs that the tests need. */
async function prepare() {
  await providePrograms();
  await provideBetterSqlite3();
}

prepare().catch(({ message }) => {
  console.error(message);
  process.exitCode = 1;
});
