const { contestants } = require('../contestants');
const same = require('./same');

const { bare, database } = contestants;
const four = (subject) => ({
  ...subject,
  name: `four-${subject.name}`,
  label: `${subject.label}, 4 processes`,
  processes: 4,
});

module.exports = {
  ...same,
  name: 'processes',
  title: `${same.title}, one process and four`,
  connections: [64],
  subjects: [bare, four(bare), database, four(database)],
};
