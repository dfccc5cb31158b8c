const all = {
  me: require('./me'),
  same: require('./same'),
  different: require('./different'),
  page: require('./page'),
  tokens: require('./tokens'),
  million: require('./million'),
  processes: require('./processes'),
};

/** The loads by their names on the command line, in the order in which they are measured. */
const loads = Object.fromEntries(Object.entries(all).map(([name, load]) => [name, { name, ...load }]));

module.exports = { loads };
