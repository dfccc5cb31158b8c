const winston = require('winston');
const { openHandle } = require('../frame/database');
const { engineOf, engines } = require('../frame/engines');

/** What the contestants share, because every panel has it: its handle, its logger, its facts. */

const engine = engineOf(process.env.DATABASE_URL);
const { clock } = engines[engine];

/** The panel's handle. It returns times as texts, because that is the cheapest way, and counts as numbers. */
function openPanelHandle() {
  if (engine !== 'postgresql') return openHandle(`${process.env.DATABASE_URL}?dateStrings=true`);
  const { builtins, setTypeParser } = require('pg').types;
  setTypeParser(builtins.TIMESTAMP, String);
  setTypeParser(builtins.INT8, Number);
  return openHandle(process.env.DATABASE_URL);
}

const onConflict = `insert into by_hand_rate_limits as kept (token_id, window_start, hits)
  values (?, ${clock} - ${clock} % 60, 1)
  on conflict (token_id) do update set
    hits = case when kept.window_start = excluded.window_start then kept.hits + 1 else 1 end,
    window_start = excluded.window_start
  returning hits`;

/** Counts a request of a token in windows of a minute: the statement, and where its result has rows and the hits. */
const counting = {
  mariadb: {
    sql: `insert into by_hand_rate_limits (token_id, window_start, hits)
       values (?, unix_timestamp() - unix_timestamp() % 60, last_insert_id(1))
       on duplicate key update
         hits = last_insert_id(if(window_start = values(window_start), hits + 1, 1)),
         window_start = values(window_start)`,
    rowsOf: ([rows]) => rows,
    hitsOf: ([{ insertId }]) => insertId,
  },
  postgresql: { sql: onConflict, rowsOf: ({ rows }) => rows, hitsOf: ({ rows: [{ hits }] }) => hits },
  sqlite: { sql: onConflict, rowsOf: (rows) => rows, hitsOf: ([{ hits }]) => hits },
}[engine];

/** winston with one line of JSON per entry, written to a file. */
function openLog() {
  return winston.createLogger({
    format: winston.format.combine(winston.format.timestamp(), winston.format.json()),
    transports: [new winston.transports.File({ filename: process.env.LOG_FILE })],
  });
}

const nowSeconds = () => Math.floor(Date.now() / 1000);

/** Converts seconds since 1970 into RFC 3339. */
const timeText = (seconds) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}+00:00`;

const endpoints = `me accounts domains websites email databases ssl backups jobs cron services settings health
  server-health openapi release-audit`.split(/\s+/);
const scopesOfOthers = {
  me: 'profile.read',
  health: 'platform.read',
  'server-health': 'platform.read',
  openapi: 'platform.read',
  'release-audit': 'platform.read',
};

/** The data of `me.php`, with the fields of the module. */
function me(token, rateLimit, clientIp) {
  const granted = token.scopes.split(' ');
  return {
    resource: 'me',
    token: {
      id: token.id,
      name: token.name,
      prefix: token.prefix,
      scopes: granted,
      created_at: timeText(token.created_at),
      created_by: token.created_by,
      expires_at: token.expires_at && timeText(token.expires_at),
      last_used_at: token.last_used_at && timeText(token.last_used_at),
    },
    endpoints: endpoints.map((name) => {
      const scope = scopesOfOthers[name] ?? `${name}.read`;
      return {
        path: `/api/v1/${name}.php`,
        scope,
        allowed: granted.includes('*') || granted.includes(scope),
      };
    }),
    rate_limit: rateLimit,
    allowed_ips: [],
    account_id: null,
    account_ids: [],
    owner: false,
    client_ip: clientIp,
    panel: { name: 'panel', version: 'unknown' },
    api_version: 'v1',
  };
}

module.exports = { clock, counting, me, nowSeconds, openLog, openPanelHandle, timeText };
