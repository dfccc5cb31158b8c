const { accounts } = require('../tables');
const same = require('./same');

module.exports = {
  ...same,
  title: `100 domains of ${accounts.toLocaleString('en')} accounts, no two requests alike`,
  paths: () => Array.from({ length: accounts }, (_, index) => `domains.php?account_id=${index + 1}`),
};
