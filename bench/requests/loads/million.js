const { contestants } = require('../contestants');
const { databases } = require('../databases');
const me = require('./me');

const { database } = contestants;
const tokensText = (name) => `${databases[name].toLocaleString('en')} tokens`;

module.exports = {
  ...me,
  title: `me.php, ${database.label}, with few and many tokens in the table`,
  subjects: [
    { ...database, name: 'thousand', label: tokensText('panel') },
    { ...database, name: 'million', label: tokensText('million'), database: 'million' },
  ],
  against: ['thousand'],
  // Tokens of two databases differ in their prefixes and creation times.
  compared: ({ data }) => data.endpoints,
};
