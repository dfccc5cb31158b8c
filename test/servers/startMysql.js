const { existsSync, readdirSync } = require('node:fs');
const { join } = require('node:path');
const { runCommand } = require('../runCommand');
const { mysqlFolder } = require('./mysqlFolder');
const { binaryLog, startMysqlServer } = require('./startMysqlServer');

// The data is temporary, so speed matters more than durability.
const hasty = [
  '--innodb-flush-method=nosync',
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-doublewrite=OFF',
  '--innodb-buffer-pool-size=32M',
  '--innodb-redo-log-capacity=8M',
];

/** The same as `startMariadb`, for the MySQL that `npm run test:mysql` downloads. Its other settings are MySQL's own. */
async function startMysql({ durable = false, logsStatements = false, more = [] } = {}) {
  if (!existsSync(mysqlFolder)) throw new Error('MySQL is missing: run npm run test:mysql.');
  const usr = join(mysqlFolder, 'usr');
  const [libraries] = readdirSync(join(usr, 'lib'))
    .filter((name) => name.endsWith('-linux-gnu'))
    .map((name) => join(usr, 'lib', name));
  const loader = readdirSync(libraries).find((name) => name.startsWith('ld-linux'));
  const program = join(libraries, loader);
  // Its libraries are newer than those of the system, so it runs with its own loader.
  const first = [
    '--library-path',
    libraries,
    join(usr, 'sbin/mysqld'),
    '--no-defaults',
    `--basedir=${usr}`,
    `--lc-messages-dir=${join(usr, 'share/mysql')}`,
    `--character-sets-dir=${join(usr, 'share/mysql/charsets')}`,
    '--secure-file-priv=NULL',
    ...(durable ? [] : hasty),
  ];
  return startMysqlServer({
    name: 'mysql',
    durable,
    program,
    fill: (folders) => runCommand(program, [...first, ...folders, '--initialize-insecure']),
    first,
    args: ['--mysqlx=OFF', ...binaryLog(logsStatements), ...more],
  });
}

module.exports = { startMysql };
