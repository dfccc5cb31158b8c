const { contestants } = require('../contestants');
const { accounts } = require('../tables');

const { bare, database, memory } = contestants;

module.exports = {
  title: `100 domains of ${accounts.toLocaleString('en')} accounts, no two requests alike`,
  connections: [1, 16, 64],
  subjects: [bare, memory, database],
  paths: () => Array.from({ length: accounts }, (_, index) => `domains.php?account_id=${index + 1}`),
  same: ({ data }) => data.items,
};
