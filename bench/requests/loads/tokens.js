const { contestants } = require('../contestants');
const same = require('./same');

const connections = 64;
const { 'by-hand': byHand, database, memory } = contestants;
const ofTheirOwn = (subject) => ({ ...subject, tokens: connections });

module.exports = {
  ...same,
  title: `${same.title}, each connection with a token of its own`,
  connections: [connections],
  subjects: [byHand, database, memory].map(ofTheirOwn),
  against: ['by-hand'],
};
