const { contestants } = require('./contestants');
const { tables } = require('./frame/tables');

const named = (names) => names.split(' ').map((name) => contestants[name]);
const rivals = 'by-hand same-promises-database same-promises-memory database memory';

const floors = 'floor-http floor-driver floor-knex';

const accounts = 1000;
const pageRows = 100;
const domains = { ...tables.domains, rows: 100 * accounts, accounts };
const { jobs } = tables;

/**
 * A load: the contestants that take part, the tables that it reads, the paths of a contestant, and what must be equal in
 * the answers of all.
 */
const me = {
  connections: [1, 64],
  subjects: named(`${rivals} redis ${floors}`),
  // The check of the promises asks for domains.
  tables: [domains],
  paths: () => ['me.php'],

  // Tokens of two databases differ, and counts go on.
  compared({ data: { token, rate_limit: rateLimit, ...rest } }) {
    return { ...rest, token: [Object.keys(token), token.name, token.scopes], limit: rateLimit.limit };
  },
};

const same = {
  connections: [1, 16, 64],
  subjects: named(`${rivals} redis ${floors}`),
  tables: [domains],
  paths: () => ['domains.php?account_id=1'],
  compared: ({ data }) => data.items,
};

const page = {
  connections: [1, 64],
  subjects: named(rivals),
  tables: [domains, jobs],
  compared: ({ data }) => data.items,

  /** The module starts at its cursor in the middle of the list, the other contestants after the id at that place. */
  async find(ask) {
    const stride = 1000;
    let cursor = '';
    for (let read = 0; read < jobs.rows / 2; read += stride)
      cursor = `&cursor=${(await ask(`jobs.php?limit=${stride}${cursor}`)).data.next_cursor}`;
    return cursor;
  },

  paths: ({ ours }, cursor) => [`jobs.php?limit=${pageRows}${ours ? cursor : `&after=${jobs.rows / 2}`}`],
};

const { database } = contestants;

/** The loads in the order in which they are measured. `waiting` is how many other tokens a database has. */
const loads = {
  me,
  same,
  different: {
    ...same,
    paths: () => Array.from({ length: accounts }, (_, index) => `domains.php?account_id=${index + 1}`),
  },
  page,
  /** What the look at the account of a token costs: only measured against another version. */
  bound: {
    ...same,
    connections: [1, 64],
    subjects: [],
    tables: [domains, tables.accounts],
    token: { accountId: 1 },
    paths: () => ['domains.php'],
  },
  mounts: { ...me, subjects: named('memory handler fetcher bun-handler bun-fetcher') },
  tokens: {
    ...same,
    connections: [64],
    subjects: named(rivals).map((subject) => ({ ...subject, tokens: 64 })),
  },
  million: {
    ...me,
    subjects: [
      { ...database, name: 'thousand', label: '1,000 tokens' },
      { ...database, name: 'million', label: '1,000,000 tokens', database: 'million', promises: false },
    ],
  },
  processes: {
    ...me,
    connections: [8, 64, 256],
    subjects: [1, 2, 4, 8].map((processes) => ({
      ...database,
      name: processes === 1 ? 'database' : `${processes}-processes`,
      label: processes === 1 ? database.label : `${database.label}, ${processes} processes`,
      processes,
    })),
  },
};

module.exports = { loads };
