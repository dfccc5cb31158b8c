const { readFileSync } = require('node:fs');
const { dirname } = require('node:path');
const knex = require('knex');
const { createConnection } = require('mysql2/promise');
const { startMariadb } = require('../test/servers/startMariadb');

const rowsInOneStatement = 100_000;

/** A handle like a panel's, with knex's default pool size. */
function openHandle(url) {
  return knex({ client: 'mysql2', connection: url });
}

/** Runs the task with a handle, and closes that. */
async function withHandle(url, task) {
  const db = openHandle(url);
  try {
    return await task(db);
  } finally {
    await db.destroy();
  }
}

/** A private MariaDB with an empty database. It writes each commit to disk, like a panel's. */
async function startDatabase() {
  const server = await startMariadb({ durable: true });
  const url = await addDatabase(server.url, 'panel');
  const [[{ version }]] = await withHandle(url, (db) => db.raw('select version() as version'));
  return {
    url,
    version,
    pid: server.pid,
    // The folder is deleted with the database, including any other files in it.
    folder: dirname(server.socket),
    stop: () => server.stop(),
  };
}

/** Creates an empty database and returns its URL. */
async function addDatabase(url, name) {
  await withHandle(url, (db) => db.raw('create database ??', [name]));
  return new URL(name, url).href;
}

/** Creates the tables of the lists and fills each with its number of rows, using MariaDB's sequences. */
async function fillTables(url, lists, say) {
  await withHandle(url, async (db) => {
    for (const list of lists) {
      const started = Date.now();
      await fillTable(db, list);
      say(`${list.name}: ${list.rows.toLocaleString('en')} rows made in ${Date.now() - started} ms`);
    }
  });
}

async function fillTable(db, { name, rows, columns, secrets }) {
  const stored = Object.entries({ ...columns, ...secrets });
  const definitions = stored.map(([column, { type }]) => `\`${column}\` ${type}`);
  await db.raw(`create table \`${name}\` (${definitions.join(', ')}) engine=innodb`);
  const values = stored.map(([, { value }]) => value).join(', ');
  for (let first = 1; first <= rows; first += rowsInOneStatement) {
    const last = Math.min(rows, first + rowsInOneStatement - 1);
    await db.raw(`insert into \`${name}\` select ${values} from seq_${first}_to_${last}`);
  }
  await db.raw(`analyze table \`${name}\``);
}

/** Adds this many tokens that no client has; their hashes are random. */
async function fillTokens(db, count) {
  for (let first = 1; first <= count; first += rowsInOneStatement) {
    const last = Math.min(count, first + rowsInOneStatement - 1);
    await db.raw(
      `insert into panel_api_tokens (name, prefix, hash, scopes, created_at, created_by, expires_at)
       select concat('Integration ', seq), concat('pnl_', left(sha2(seq, 256), 6)),
         unhex(sha2(concat('token', seq), 256)), 'domains.read jobs.read', unix_timestamp(), 'benchmark',
         unix_timestamp() + 86400 + seq
       from seq_${first}_to_${last}`,
    );
  }
  await db.raw('analyze table panel_api_tokens');
}

// The kernel's clock tick, which has been the same on every Linux for decades.
const tickMs = 10;

/** Measures the statements and the CPU time of the database. */
class DatabaseMeter {
  #connection;
  #pid;

  static async open({ url, pid }) {
    const meter = new DatabaseMeter();
    meter.#connection = await createConnection(url);
    meter.#pid = pid;
    return meter;
  }

  /** The statements since the server's start, including this one, those of three kinds, and CPU milliseconds. */
  async read() {
    const [rows] = await this.#connection.query(
      "show global status where variable_name in ('Questions', 'Com_select', 'Com_insert', 'Com_update')",
    );
    const status = Object.fromEntries(rows.map(({ Variable_name: name, Value }) => [name, Number(Value)]));
    const kinds = [status.Com_select, status.Com_insert, status.Com_update];
    return { statements: status.Questions, kinds, cpuMs: this.#cpuMs() };
  }

  close() {
    this.#connection.destroy();
  }

  #cpuMs() {
    // The name, in parentheses, may contain any characters.
    const [, after] = /\) (.*)/.exec(readFileSync(`/proc/${this.#pid}/stat`, 'utf8'));
    const fields = after.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  }
}

module.exports = {
  addDatabase,
  DatabaseMeter,
  fillTables,
  fillTokens,
  openHandle,
  startDatabase,
  withHandle,
};
