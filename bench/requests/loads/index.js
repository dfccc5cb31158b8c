const all = {
  me: require('./me'),
  same: require('./same'),
  different: require('./different'),
  page: require('./page'),
  tokens: require('./tokens'),
  million: require('./million'),
  processes: require('./processes'),
};

/** What is asked of the contestants, by the names that the command takes, in the order in which it is measured. */
const loads = Object.fromEntries(Object.entries(all).map(([name, load]) => [name, { name, ...load }]));

module.exports = { loads };
