const { Missing, mayLeaveOut } = require('./missing');
const { provideBetterSqlite3 } = require('./steps/provideBetterSqlite3');
const { provideEarlier } = require('./steps/provideEarlier');
const { providePrograms } = require('./steps/providePrograms');

/** Installs the missing packages and programs that the tests need. Tests that need others are skipped, if they may be. */
async function prepare() {
  for (const provide of [providePrograms, provideBetterSqlite3, provideEarlier]) {
    const result = await provide().catch((error) => {
      console.error(error.message);
      if (!(error instanceof Missing && mayLeaveOut())) process.exitCode = 1;
    });
    for (const reason of result?.leftOut ?? []) console.error(reason);
  }
}

void prepare();
