const { readFileSync } = require('node:fs');
const knex = require('knex');
const { createConnection } = require('mysql2/promise');
const { addByHandToken, createByHandTables, isUsedByHand } = require('./byHand');
const { engineOf, engines } = require('./engines');
const { say } = require('./processes');
const { columnsOf } = require('./tables');

const author = { actor: 'benchmark', origin: 'panel' };
const silent = { info() {}, warn() {}, error() {} };
const rowsInOneStatement = 100_000;

/** A handle like a panel's, with knex's default pool size. */
function openHandle(url) {
  return knex(engines[engineOf(url)].handle(url));
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

/** A private database server, which writes each commit to disk like a panel's. Its folder is deleted with it. */
async function startDatabase(name = 'mariadb') {
  const engine = engines[name];
  const server = await engine.start();
  const { version } = await withHandle(server.url, (db) =>
    db.select(db.raw(`${engine.versionSql} as version`)).first(),
  );
  return { ...server, version: `Node ${process.version}, ${version}` };
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
    const database = new PanelDatabase(server, name, build);
    const engine = engines[engineOf(server.url)];
    if (engine.createSql) await withHandle(server.url, (db) => db.raw(engine.createSql, [name]));
    await withHandle(database.url, async (db) => {
      for (const list of lists) {
        say(`${list.name}: ${list.rows.toLocaleString('en')} rows …`);
        await fillTable(db, engine, list);
      }
      await createByHandTables(db, engine);
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
    const engine = engines[engineOf(this.url)];
    const { clock } = engine;
    const columns = '(name, prefix, hash, scopes, created_at, created_by, expires_at)';
    const values = `concat('Integration ', seq), concat('pnl_', seq), ${engine.hash("concat('token', seq)")},
      'domains.read jobs.read', ${clock}, 'benchmark', ${clock} + 86400 + seq`;
    await withHandle(this.url, async (db) => {
      for (const table of ['panel_api_tokens', 'by_hand_tokens'])
        await fillRows(db, engine, `${table} ${columns}`, values, count);
    });
  }

  async #use(task) {
    const { createPanelApi } = require(this.#build);
    return withHandle(this.url, (db) => task(createPanelApi({ db, logger: silent }), db));
  }
}

/** The table of a list, with a secret that no handler ever selects. */
async function fillTable(db, engine, list) {
  const secret = { name: 'secret', type: 'char(64)', value: `concat('${'secret'.repeat(9)}', seq)` };
  const columns = [...columnsOf(list, engine), secret];
  const definitions = columns.map(({ type }) => `?? ${type}`).join(', ');
  await db.raw(`create table ?? (${definitions})`, [list.name, ...columns.map(({ name }) => name)]);
  for (const { name, index } of columns)
    if (index) await db.raw(`create index ?? on ?? (${index})`, [`${list.name}_${name}`, list.name]);
  const values = columns.map(({ value }) => value).join(', ');
  await fillRows(db, engine, db.raw('??', [list.name]), values, list.rows);
  await db.raw(engine.analyze, [list.name]);
}

/** Inserts rows with these values of their numbers `seq`. */
async function fillRows(db, { rows: numbers }, into, values, rows) {
  for (let first = 1; first <= rows; first += rowsInOneStatement) {
    const last = Math.min(rows, first + rowsInOneStatement - 1);
    await db.raw(`insert into ${into} select ${values} from ${numbers(first, last)}`);
  }
}

// The kernel's clock tick, which has been the same on every Linux for decades.
const tickMs = 10;

/** The CPU milliseconds of a process, of its children, and of those that have ended. */
function cpuMsOf(pid) {
  const ticksOf = (id) => {
    // The name, in parentheses, may contain any characters.
    const [, after] = /\) (.*)/.exec(readFileSync(`/proc/${id}/stat`, 'utf8'));
    return after.split(' ').slice(11, 15).map(Number);
  };
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return [pid, ...children].flatMap(ticksOf).reduce((sum, ticks) => sum + ticks, 0) * tickMs;
}

/**
 * Returns a function that reads the statements of the server since its start, including this one, those of three kinds,
 * and its CPU milliseconds. NaN is what an engine does not tell: MariaDB alone counts statements, and SQLite runs in the
 * process that asks it.
 */
async function openMeter({ url, pid }) {
  const names = ['Questions', 'Com_select', 'Com_insert', 'Com_update'];
  const connection = engineOf(url) === 'mariadb' ? await createConnection(url) : undefined;
  return async () => {
    const [rows] = connection
      ? await connection.query('show global status where variable_name in (?)', [names])
      : [[]];
    const status = Object.fromEntries(rows.map(({ Variable_name: name, Value }) => [name, Number(Value)]));
    const [statements, ...kinds] = names.map((name) => status[name] ?? NaN);
    return { statements, kinds, cpuMs: pid ? cpuMsOf(pid) : NaN };
  };
}

module.exports = { openHandle, openMeter, PanelDatabase, startDatabase };
