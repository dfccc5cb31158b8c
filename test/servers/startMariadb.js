const { runCommand } = require('../runCommand');
const { requireProgram } = require('./requireProgram');
const { binaryLog, startMysqlServer } = require('./startMysqlServer');

// The data is temporary, so speed matters more than durability.
const hasty = [
  '--debug-no-sync',
  '--innodb-flush-method=nosync',
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-buffer-pool-size=32M',
  '--innodb-log-file-size=8M',
];

/**
 * With `durable` it writes to disk as MariaDB does by default; with `logsStatements` its binary log contains
 * statements. `more` are further arguments.
 */
async function startMariadb({ durable = false, logsStatements = false, more = [] } = {}) {
  const program = requireProgram('mariadbd', 'mariadb-server-core');
  const installer = requireProgram('mariadb-install-db', 'mariadb-server-core');
  requireProgram('my_print_defaults', 'mariadb-client-core'); // The installer calls it.
  return startMysqlServer({
    name: 'mariadb',
    durable,
    program,
    fill: (folders) => runCommand(installer, ['--no-defaults', ...folders, '--skip-test-db']),
    first: ['--no-defaults'],
    args: [
      // What Debian's own configuration sets.
      '--character-set-server=utf8mb4',
      '--collation-server=utf8mb4_general_ci',
      ...binaryLog(logsStatements),
      ...(durable ? [] : hasty),
      ...more,
    ],
  });
}

module.exports = { startMariadb };
