const { randomBytes } = require('node:crypto');
const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { runCommand } = require('../runCommand');
const { ScratchDirectory } = require('../ScratchDirectory');
const { PrivateServer } = require('./PrivateServer');
const { freePort } = require('./freePort');
const { requireProgram } = require('./requireProgram');

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
  const directory = new ScratchDirectory('mariadb', { onDisk: durable });
  const data = join(directory.path, 'data');
  // A starting server deletes the temporary tables of all others in the same folder.
  const temporary = join(directory.path, 'tmp');
  mkdirSync(temporary);
  const socket = join(directory.path, 'socket');
  const accounts = join(directory.path, 'accounts.sql');
  const password = randomBytes(12).toString('hex');
  const port = await freePort();
  const asRoot = process.getuid() === 0 ? ['--user=root'] : [];

  // One statement per line, because the server reads this file so at every start. A replica would get the accounts from
  // the binary log of its primary, and has its own.
  writeFileSync(
    accounts,
    `set sql_log_bin = 0;\ncreate user if not exists panel@'%' identified by '${password}';\ngrant all on *.* to panel@'%' with grant option;\n`,
  );
  await runCommand(installer, [
    '--no-defaults',
    `--datadir=${data}`,
    `--tmpdir=${temporary}`,
    '--skip-test-db',
    ...asRoot,
  ]);

  const server = new PrivateServer({
    directory,
    program,
    args: [
      '--no-defaults',
      ...asRoot,
      `--datadir=${data}`,
      `--tmpdir=${temporary}`,
      `--socket=${socket}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--init-file=${accounts}`,
      '--skip-name-resolve',
      '--max-connections=500',
      // What Debian's own configuration sets.
      '--character-set-server=utf8mb4',
      '--collation-server=utf8mb4_general_ci',
      ...(logsStatements ? ['--log-bin=binlog', '--binlog-format=STATEMENT'] : ['--skip-log-bin']),
      ...(durable ? [] : hasty),
      '--innodb-fast-shutdown=2',
      ...more,
    ],
    stopSignal: 'SIGTERM',
    url: `mysql://panel:${password}@127.0.0.1:${port}/`,
    port,
    socket,
    ready: async () => {
      const connection = await require('mysql2/promise').createConnection({
        host: '127.0.0.1',
        port,
        user: 'panel',
        password,
      });
      await connection.end();
    },
  });
  await server.start();
  return server;
}

module.exports = { startMariadb };
