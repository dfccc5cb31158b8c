const { dirname } = require('node:path');
const { ScratchDirectory } = require('../../test/ScratchDirectory');
const { startMariadb } = require('../../test/servers/startMariadb');
const { startPostgresql } = require('../../test/servers/startPostgresql');

/** A server and the folder of its files. Both are gone with this process. */
const served = ({ url, pid, socket }) => ({ url, pid, folder: dirname(socket) });

/**
 * What differs between the databases: how one starts that is as durable as it is by default, the handle of a URL, and
 * the SQL that fills tables. `types` replaces types of MariaDB, `rows` has the numbers `seq`, `hash` is the SHA-256 of a
 * text or, without that function, random.
 */
const engines = {
  mariadb: {
    start: async () => served(await startMariadb({ durable: true })),
    versionSql: "concat('MariaDB ', version())",
    createSql: 'create database ??',
    handle: (url) => ({ client: 'mysql2', connection: url }),
    types: {},
    hashType: 'binary(32)',
    clock: 'unix_timestamp()',
    time: (seconds) => `timestampadd(second, ${seconds}, '2024-01-01')`,
    hash: (text) => `unhex(sha2(${text}, 256))`,
    rows: (first, last) => `seq_${first}_to_${last}`,
    analyze: 'analyze table ??',
  },
  postgresql: {
    // The tests give it less memory than its default.
    start: async () => served(await startPostgresql({ durable: true, more: ['--shared_buffers=128MB'] })),
    versionSql: "concat('PostgreSQL ', current_setting('server_version'))",
    createSql: 'create database ??',
    handle: (url) => ({ client: 'pg', connection: url }),
    types: { 'int unsigned': 'int', 'tinyint(1)': 'boolean', datetime: 'timestamp' },
    hashType: 'bytea',
    clock: 'floor(extract(epoch from now()))::bigint',
    time: (seconds) => `timestamp '2024-01-01' + (${seconds}) * interval '1 second'`,
    hash: (text) => `sha256((${text})::bytea)`,
    rows: (first, last) => `generate_series(${first}::bigint, ${last}) as seq`,
    analyze: 'analyze ??',
  },
  sqlite: {
    async start() {
      const { path } = new ScratchDirectory('sqlite', { onDisk: true });
      return { url: `sqlite:${path}/server`, folder: path };
    },
    versionSql: "concat('SQLite ', sqlite_version())",
    handle: (url) => ({
      client: 'better-sqlite3',
      connection: { filename: new URL(url).pathname },
      useNullAsDefault: true,
      pool: {
        afterCreate(connection, done) {
          connection.pragma('journal_mode = wal');
          done(null, connection);
        },
      },
    }),
    // Only a key of this type is the number of the row.
    types: { 'int unsigned': 'integer', 'tinyint(1)': 'boolean' },
    hashType: 'blob',
    clock: 'unixepoch()',
    time: (seconds) => `datetime('2024-01-01', concat(${seconds}, ' seconds'))`,
    hash: () => 'randomblob(32)',
    rows: (first, last) =>
      `(with recursive numbers(seq) as
        (select ${first} union all select seq + 1 from numbers where seq < ${last}) select seq from numbers)`,
    analyze: 'analyze ??',
  },
};

const protocols = { 'mysql:': 'mariadb', 'postgres:': 'postgresql', 'sqlite:': 'sqlite' };

/** The name of the engine that has a database of this URL. */
const engineOf = (url) => protocols[new URL(url).protocol];

module.exports = { engineOf, engines };
