const { randomBytes } = require('node:crypto');
const { chownSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { runCommand } = require('../runCommand');
const { ScratchDirectory } = require('../ScratchDirectory');
const { PrivateServer } = require('./PrivateServer');
const { freePort } = require('./freePort');
const { requireProgram } = require('./requireProgram');
const { unprivilegedIdentity } = require('./unprivilegedIdentity');

async function startPostgresql() {
  const program = requireProgram('postgres', 'postgresql');
  const installer = requireProgram('initdb', 'postgresql');
  const directory = new ScratchDirectory('postgresql');
  const data = join(directory.path, 'data');
  const passwordFile = join(directory.path, 'password');
  const password = randomBytes(12).toString('hex');
  const port = await freePort();
  const identity = await unprivilegedIdentity('postgres');
  const url = `postgres://panel:${password}@127.0.0.1:${port}/postgres`;

  writeFileSync(passwordFile, password);
  if (identity) chownSync(directory.path, identity.uid, identity.gid);
  await runCommand(
    installer,
    [
      `--pgdata=${data}`,
      '--username=panel',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C.UTF-8',
      '--no-sync',
    ],
    { identity, cwd: directory.path },
  );

  const server = new PrivateServer({
    directory,
    program,
    args: [
      '-D',
      data,
      `--port=${port}`,
      '--listen_addresses=127.0.0.1',
      `--unix_socket_directories=${directory.path}`,
      '--max_connections=300',
      '--shared_buffers=32MB',
      // The data is temporary, so speed matters more than durability.
      '--fsync=off',
      '--synchronous_commit=off',
      '--full_page_writes=off',
    ],
    identity,
    // PostgreSQL's immediate shutdown, which neither waits for clients nor writes anything.
    stopSignal: 'SIGQUIT',
    url,
    port,
    socket: join(directory.path, `.s.PGSQL.${port}`),
    ready: async () => {
      const client = new (require('pg').Client)({ connectionString: url });
      await client.connect();
      await client.end();
    },
  });
  await server.start();
  return server;
}

module.exports = { startPostgresql };
