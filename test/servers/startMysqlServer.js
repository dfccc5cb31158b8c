const { randomBytes } = require('node:crypto');
const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { ScratchDirectory } = require('../ScratchDirectory');
const { PrivateServer } = require('./PrivateServer');
const { freePort } = require('./freePort');

/**
 * Starts a private server of MariaDB or MySQL with an account that may do everything. `fill` receives the arguments that
 * name its folders, and creates its data; `args` are the first and the other arguments of the server.
 */
async function startMysqlServer({ name, durable, program, fill, first, args }) {
  const directory = new ScratchDirectory(name, { onDisk: durable });
  const at = (file) => join(directory.path, file);
  // A starting server deletes the temporary tables of all others in the same folder.
  mkdirSync(at('tmp'));
  const password = randomBytes(12).toString('hex');
  const port = await freePort();
  const asRoot = process.getuid() === 0 ? ['--user=root'] : [];
  const folders = [...asRoot, `--datadir=${at('data')}`, `--tmpdir=${at('tmp')}`];

  // One statement per line, because the server reads this file so at every start. A replica would get the accounts from
  // the binary log of its primary, and has its own.
  writeFileSync(
    at('accounts.sql'),
    `set sql_log_bin = 0;\ncreate user if not exists panel@'%' identified by '${password}';\ngrant all on *.* to panel@'%' with grant option;\n`,
  );
  await fill(folders);

  const server = new PrivateServer({
    directory,
    program,
    args: [
      ...first,
      ...folders,
      `--socket=${at('socket')}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--init-file=${at('accounts.sql')}`,
      '--skip-name-resolve',
      '--max-connections=500',
      '--innodb-fast-shutdown=2',
      ...args,
    ],
    stopSignal: 'SIGTERM',
    url: `mysql://panel:${password}@127.0.0.1:${port}/`,
    port,
    socket: at('socket'),
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

/** The arguments of a server whose binary log contains statements, or that has none. */
function binaryLog(logsStatements) {
  return logsStatements ? ['--log-bin=binlog', '--binlog-format=STATEMENT'] : ['--skip-log-bin'];
}

module.exports = { startMysqlServer, binaryLog };
