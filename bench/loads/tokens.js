const same = require('./same');

const connections = 64;
const names = ['by-hand', 'same-promises-database', 'same-promises-memory', 'database', 'memory'];

module.exports = {
  ...same,
  name: 'tokens',
  title: `${same.title}, with ${connections} tokens in turn`,
  connections: [connections],
  subjects: same.subjects
    .filter(({ name }) => names.includes(name))
    .map((subject) => ({ ...subject, tokens: connections })),
};
