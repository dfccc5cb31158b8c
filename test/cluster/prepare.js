const { provideBetterSqlite3 } = require('../steps/provideBetterSqlite3');
const { providePrograms } = require('../steps/providePrograms');

/** What the clusters need beside the programs of the other tests. */
const needs = [];

async function prepare() {
  await providePrograms(needs);
  await provideBetterSqlite3();
}

prepare().catch(({ message }) => {
  console.error(message);
  process.exitCode = 1;
});
