const { createHash } = require('node:crypto');
const { createServer } = require('node:http');
const { engineOf } = require('../frame/engines');
const { serve } = require('../frame/servers');
const { columnsOf, tables } = require('../frame/tables');
const { clock, counting, me, nowSeconds, openPanelHandle, timeText } = require('./panel');

/**
 * What an answer costs at least, without routes, checks, headers and a log. FLOOR is `http`: it sends the same bytes from
 * memory, `driver`: it sends the look-up, the count and the list through the bare driver, or `knex`: through knex.
 */
const { DATABASE_URL, FLOOR } = process.env;
const db = openPanelHandle();
const columns = columnsOf(tables.domains);
const statements = {
  lookUp: (hash) =>
    db({ setting: 'by_hand_settings' })
      .leftJoin({ token: 'by_hand_tokens' }, (join) => join.onVal('token.hash', hash))
      .where('setting.name', 'enabled')
      .select('token.*', 'setting.value as enabled', db.raw(`${clock} as clock`)),
  count: (id) => db.raw(counting.sql, [id]),
  list: (account) =>
    db('domains')
      .select(columns.map(({ name }) => name))
      .where({ account_id: account })
      .orderBy('id'),
};

/** Functions that return one that sends a statement with its values through the bare driver. */
const query = (pool) => (sql) => (values) => pool.query(sql, values);
const drivers = {
  mariadb: () => query(require('mysql2/promise').createPool(`${DATABASE_URL}?dateStrings=true`)),
  postgresql: () => query(new (require('pg').Pool)({ connectionString: DATABASE_URL })),
  sqlite() {
    const database = require('better-sqlite3')(new URL(DATABASE_URL).pathname);
    const all = (statement) => async (values) => statement.all(values);
    return (sql) => all(database.prepare(sql));
  },
};

/** The same statements through the bare driver, whose texts are made once. */
function throughDriver() {
  const sender = drivers[engineOf(DATABASE_URL)]();
  const given = 'given';
  const compile = (statement, resultOf) => {
    const { sql, bindings } = statement(given).toSQL().toNative();
    const sendValues = sender(sql);
    return async (value) =>
      resultOf(await sendValues(bindings.map((each) => (each === given ? value : each))));
  };
  return {
    lookUp: compile(statements.lookUp, counting.rowsOf),
    count: compile(statements.count, (result) => result),
    list: compile(statements.list, counting.rowsOf),
  };
}

const send = FLOOR === 'knex' ? statements : throughDriver();

const shown = {
  flag: Boolean,
  time: (text) => text && `${text.slice(0, 10)}T${text.slice(11)}+00:00`,
};

function itemOf(row) {
  for (const { name, kind } of columns) if (shown[kind]) row[name] = shown[kind](row[name]);
  return row;
}

async function textOf({ url, headers, socket }) {
  const hash = createHash('sha256').update(headers.authorization.slice('Bearer '.length)).digest();
  const [token] = await send.lookUp(hash);
  const remaining = 1e9 - counting.hitsOf(await send.count(token.id));
  const [path, account] = url.split('?account_id=');
  const window = { limit: 1e9, window_seconds: 60, remaining, resets_at: timeText(token.clock) };
  const data = path.endsWith('/me.php')
    ? me(token, window, socket.remoteAddress)
    : { resource: 'domains', items: (await send.list(Number(account))).map(itemOf) };
  return JSON.stringify({ success: true, message: 'Loaded.', data, timestamp: timeText(nowSeconds()) });
}

const known = new Map();

async function answer(request, response) {
  const text = known.get(request.url) ?? (await textOf(request));
  if (FLOOR === 'http') known.set(request.url, text);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

serve(createServer(answer));
