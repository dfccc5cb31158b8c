const { contestants } = require('../contestants');
const me = require('./me');

const { database } = contestants;

const inProcesses = (processes) => ({
  ...database,
  name: `${processes}-processes`,
  label: `${database.label}, ${processes} processes`,
  processes,
});

module.exports = {
  ...me,
  name: 'processes',
  title: `${me.title} of one, two, four and eight processes`,
  connections: [8, 64, 256],
  subjects: [database, ...[2, 4, 8].map(inProcesses)],
};
