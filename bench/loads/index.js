/** The loads by their names on the command line, in the order in which they are measured. */
const loads = {
  me: require('./me'),
  same: require('./same'),
  different: require('./different'),
  page: require('./page'),
  tokens: require('./tokens'),
  million: require('./million'),
  processes: require('./processes'),
};

module.exports = { loads };
