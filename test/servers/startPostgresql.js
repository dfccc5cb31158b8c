const { randomBytes } = require('node:crypto');
const { chownSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { runCommand } = require('../runCommand');
const { ScratchDirectory } = require('../ScratchDirectory');
const { PrivateServer } = require('./PrivateServer');
const { freePort } = require('./freePort');
const { requireProgram } = require('./requireProgram');
const { unprivilegedIdentity } = require('./unprivilegedIdentity');

// The data is temporary, so speed matters more than durability.
const hasty = ['--fsync=off', '--synchronous_commit=off', '--full_page_writes=off'];

/**
 * With `durable` it writes to disk as PostgreSQL does by default. `standbyOf` is a primary that it follows, with its
 * data and accounts. `more` are further arguments.
 */
async function startPostgresql({ durable = false, standbyOf, more = [] } = {}) {
  const program = requireProgram('postgres', 'postgresql');
  const directory = new ScratchDirectory('postgresql', { onDisk: durable });
  const data = join(directory.path, 'data');
  const password = standbyOf ? new URL(standbyOf.url).password : randomBytes(12).toString('hex');
  const port = await freePort();
  const identity = await unprivilegedIdentity('postgres');
  const url = `postgres://panel:${password}@127.0.0.1:${port}/postgres`;

  if (identity) chownSync(directory.path, identity.uid, identity.gid);
  const own = { identity, cwd: directory.path };
  await (standbyOf ? copyPrimary(standbyOf, data, own) : createCluster(password, data, own));

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
      ...(durable ? [] : hasty),
      ...more,
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

async function createCluster(password, data, own) {
  const passwordFile = join(own.cwd, 'password');
  writeFileSync(passwordFile, password);
  await runCommand(
    requireProgram('initdb', 'postgresql'),
    [
      `--pgdata=${data}`,
      '--username=panel',
      `--pwfile=${passwordFile}`,
      // The usual method computes for longer than many a test asks.
      '--auth=md5',
      '--encoding=UTF8',
      '--locale=C.UTF-8',
      '--no-sync',
    ],
    own,
  );
}

/** Copies a primary's data, with the settings by which a server on the copy follows it. */
async function copyPrimary({ url }, data, own) {
  const copier = requireProgram('pg_basebackup', 'postgresql');
  await runCommand(
    copier,
    [`--dbname=${url}`, `--pgdata=${data}`, '--write-recovery-conf', '--checkpoint=fast', '--no-sync'],
    own,
  );
}

module.exports = { startPostgresql };
