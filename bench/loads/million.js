const { contestants } = require('../contestants');
const me = require('./me');

const { database } = contestants;

module.exports = {
  ...me,
  name: 'million',
  title: `me.php, ${database.label}, with few and many tokens in the table`,
  subjects: [
    { ...database, name: 'thousand', label: '1,000 tokens' },
    { ...database, name: 'million', label: '1,000,000 tokens', database: 'million', promises: false },
  ],
};
