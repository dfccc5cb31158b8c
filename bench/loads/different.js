const same = require('./same');

const { accounts } = same;

module.exports = {
  ...same,
  name: 'different',
  title: `100 domains of ${accounts.toLocaleString('en')} accounts in turn, no two requests alike`,
  paths: () => Array.from({ length: accounts }, (_, index) => `domains.php?account_id=${index + 1}`),
};
