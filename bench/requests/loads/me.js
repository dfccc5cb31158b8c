const { contestants } = require('../contestants');

const { database, memory } = contestants;

module.exports = {
  title: 'me.php',
  connections: [1, 64],
  subjects: [memory, database],
  paths: () => ['me.php'],
  same: ({ data }) => data.token.name,
};
