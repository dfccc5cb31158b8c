const { readFileSync } = require('node:fs');

/** About the clusters and the dumps of MariaDB, which MySQL does not know. */
const OTHER = /\/lib\/tokens\/cluster\.test\.ts$|\/docs\/restore-or-copy\.test\.ts$/;
const CONCERNS = /'mariadb'|\bdescribe(?:Each|One)Engine\b|\bengines\b/;

/** Jest's `filter`: the test files with tests on every engine, or on MariaDB. */
module.exports = async function concernsMariadb(files) {
  const filtered = files.filter((file) => !OTHER.test(file) && CONCERNS.test(readFileSync(file, 'utf8')));
  console.error(`${filtered.length} of ${files.length} test files concern MariaDB and MySQL.`);
  return { filtered };
};
