const { contestants } = require('../contestants');

const { bare, database, memory } = contestants;

module.exports = {
  title: '100 domains, all asking for the same',
  connections: [1, 16, 64],
  subjects: [bare, memory, database],
  paths: () => ['domains.php?account_id=1'],
  same: ({ data }) => data.items,
};
