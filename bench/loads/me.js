const { contestants } = require('../contestants');
const { tables } = require('./same');

const {
  constant,
  'by-hand': byHand,
  'same-promises-database': handDatabase,
  'same-promises-memory': handMemory,
  database,
  memory,
  redis,
} = contestants;

module.exports = {
  name: 'me',
  title: 'me.php',
  connections: [1, 64],
  subjects: [constant, byHand, handDatabase, handMemory, database, memory, redis],
  // The check of the promises asks for domains.
  tables,
  paths: () => ['me.php'],

  /** What must be equal in the answers of all contestants. Tokens of two databases differ, and counts go on. */
  compared({ data: { token, rate_limit: rateLimit, ...rest } }) {
    return { ...rest, token: [Object.keys(token), token.name, token.scopes], limit: rateLimit.limit };
  },
};
