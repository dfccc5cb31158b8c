const { readFileSync } = require('node:fs');
const { dirname } = require('node:path');
const knex = require('knex');
const { createConnection } = require('mysql2/promise');
const { startMariadb } = require('../../test/servers/startMariadb');
const { addByHandToken, createByHandTables, isUsedByHand } = require('./byHand');
const { say } = require('./processes');
const { columnsOf } = require('./tables');

const author = { actor: 'benchmark', origin: 'panel' };
const silent = { info() {}, warn() {}, error() {} };
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

/** A private MariaDB, which writes each commit to disk like a panel's. Its folder is deleted with it. */
async function startDatabase() {
  const { url, pid, socket } = await startMariadb({ durable: true });
  const [[{ version }]] = await withHandle(url, (db) => db.raw('select version() as version'));
  return { url, pid, folder: dirname(socket), version: `Node ${process.version}, MariaDB ${version}` };
}

/**
 * A database of a panel, with the module's tables as this build makes them, with those of the contestants by hand, and
 * with the API switched on.
 */
class PanelDatabase {
  /** Those that clients have. */
  tokens = [];
  #build;

  constructor({ url }, name, build) {
    this.url = new URL(name, url).href;
    this.#build = build;
  }

  static async create(server, name, build, lists) {
    await withHandle(server.url, (db) => db.raw('create database ??', [name]));
    const database = new PanelDatabase(server, name, build);
    await withHandle(database.url, async (db) => {
      for (const list of lists) {
        say(`${list.name}: ${list.rows.toLocaleString('en')} rows …`);
        await fillTable(db, list);
      }
      await createByHandTables(db);
    });
    await database.#use((api) => api.settings.enable(author));
    return database;
  }

  /** Creates a token with these properties; by default it has every scope. */
  async createToken(properties) {
    const request = { name: 'Benchmark', scopes: ['*'], ...properties };
    return this.#use(async (api, db) => {
      const { token } = await api.tokens.create(request, author);
      await addByHandToken(db, token, request);
      return token;
    });
  }

  /** Whether the module, if `ours`, or a contestant by hand has stored the last use of this token. */
  async isUsed({ ours }, token) {
    return this.#use(async (api, db) =>
      ours ? (await api.tokens.find(token)).lastUsedAt !== null : isUsedByHand(db, token),
    );
  }

  /** Adds this many tokens that no client has; their hashes are random. */
  async fillTokens(count) {
    const columns = '(name, prefix, hash, scopes, created_at, created_by, expires_at)';
    const values = `concat('Integration ', seq), concat('pnl_', left(sha2(seq, 256), 6)),
      unhex(sha2(concat('token', seq), 256)), 'domains.read jobs.read', unix_timestamp(), 'benchmark',
      unix_timestamp() + 86400 + seq`;
    await withHandle(this.url, async (db) => {
      for (const table of ['panel_api_tokens', 'by_hand_tokens'])
        await fillRows(db, `${table} ${columns}`, values, count);
    });
  }

  async #use(task) {
    const { createPanelApi } = require(this.#build);
    return withHandle(this.url, (db) => task(createPanelApi({ db, logger: silent }), db));
  }
}

/** The table of a list, with a secret that no handler ever selects. */
async function fillTable(db, list) {
  const columns = [...columnsOf(list), { name: 'secret', type: 'char(64)', value: 'sha2(seq, 256)' }];
  const definitions = columns.map(({ name, type }) => `\`${name}\` ${type}`);
  await db.raw(`create table \`${list.name}\` (${definitions.join(', ')}) engine=innodb`);
  await fillRows(db, `\`${list.name}\``, columns.map(({ value }) => value).join(', '), list.rows);
  await db.raw(`analyze table \`${list.name}\``);
}

/** Inserts rows with these values, using MariaDB's sequences. */
async function fillRows(db, into, values, rows) {
  for (let first = 1; first <= rows; first += rowsInOneStatement) {
    const last = Math.min(rows, first + rowsInOneStatement - 1);
    await db.raw(`insert into ${into} select ${values} from seq_${first}_to_${last}`);
  }
}

// The kernel's clock tick, which has been the same on every Linux for decades.
const tickMs = 10;

/**
 * Returns a function that reads the statements of the server since its start, including this one, those of three kinds,
 * and its CPU milliseconds.
 */
async function openMeter({ url, pid }) {
  const connection = await createConnection(url);
  const names = ['Questions', 'Com_select', 'Com_insert', 'Com_update'];
  return async () => {
    const [rows] = await connection.query('show global status where variable_name in (?)', [names]);
    const status = Object.fromEntries(rows.map(({ Variable_name: name, Value }) => [name, Number(Value)]));
    const [statements, ...kinds] = names.map((name) => status[name]);
    // The name, in parentheses, may contain any characters.
    const [, after] = /\) (.*)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    const [user, system] = after.split(' ').slice(11, 13);
    return { statements, kinds, cpuMs: (Number(user) + Number(system)) * tickMs };
  };
}

module.exports = { openHandle, openMeter, PanelDatabase, startDatabase };
