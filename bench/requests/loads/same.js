const { contestants } = require('../contestants');
const { items } = require('./items');

const { bare, 'by-hand': byHand, database, memory, redis } = contestants;

module.exports = {
  title: '100 domains, all asking for the same',
  connections: [1, 16, 64],
  subjects: [bare, byHand, database, memory, redis],
  against: ['bare', 'by-hand'],
  tables: ['domains'],
  paths: () => ['domains.php?account_id=1'],
  compared: items,
};
