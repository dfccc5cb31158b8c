const { contestants } = require('../contestants');
const { lastingPart } = require('./lastingPart');

const { constant, 'by-hand': byHand, database, memory, redis } = contestants;

module.exports = {
  title: 'me.php',
  connections: [1, 64],
  subjects: [constant, byHand, database, memory, redis],
  against: ['constant', 'by-hand'],
  tables: [],
  paths: () => ['me.php'],
  compared: lastingPart,
};
