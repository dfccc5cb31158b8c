const { provideBetterSqlite3 } = require('../steps/provideBetterSqlite3');
const { provideMysql } = require('../steps/provideMysql');
const { providePrograms } = require('../steps/providePrograms');

/** MySQL, and what the other tests need: some test files need other servers too. */
async function prepare() {
  if (!process.env.MYSQL_URL) await provideMysql();
  await providePrograms();
  await provideBetterSqlite3();
}

prepare().catch(({ message }) => {
  console.error(message);
  process.exitCode = 1;
});
