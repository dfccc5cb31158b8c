/**
 * A column: its SQL type, the SQL of its value from the row's number `seq`, and how the module shows a value that the
 * naive handler answers as the driver reads it.
 */
const asItIs = (value) => value;

const key = () => ({ type: 'int unsigned not null primary key', value: 'seq', shown: asItIs });

/** One of this many accounts, which all have the same number of rows. */
const account = (accounts = 5000) => ({
  type: 'int unsigned, index (account_id)',
  value: `1 + seq % ${accounts}`,
  shown: asItIs,
});

const number = (value, type = 'int') => ({ type, value, shown: asItIs });

const size = (step) => number(`seq * ${step} % 5000000000`, 'bigint');

const text = (length, ...parts) => ({
  type: `varchar(${length})`,
  value: `concat(${parts.join(', ')})`,
  shown: asItIs,
});

const word = (...words) => ({
  type: 'varchar(16)',
  value: `elt(1 + seq % ${words.length}, ${words.map((each) => `'${each}'`).join(', ')})`,
  shown: asItIs,
});

const flag = (value) => ({ type: 'tinyint(1)', value, shown: (stored) => stored === 1 });

/** Times within two years, `step` seconds from row to row. */
const time = (firstDay, step) => ({
  type: 'datetime',
  value: `timestampadd(second, seq * ${step} % 63072000, '${firstDay}')`,
  shown: (stored) => stored && `${stored.slice(0, 19)}+00:00`,
});

const list = (length, ...parts) => ({
  ...text(length, ...parts),
  shown: (stored) => stored?.split(',') ?? [],
});

/** The column with null in every n-th row. */
const gaps = (every, column) => ({ ...column, value: `if(seq % ${every} = 0, null, ${column.value})` });

/** The column with null except in every n-th row. */
const rare = (every, column) => ({ ...column, value: `if(seq % ${every} = 0, ${column.value}, null)` });

/** The column with an index. */
const indexed = (name, column) => ({ ...column, type: `${column.type}, index (${name})` });

/** What no handler ever selects. */
const secret = () => ({ type: 'char(64)', value: 'sha2(seq, 256)' });

module.exports = { account, flag, gaps, indexed, key, list, number, rare, secret, size, text, time, word };
