const { answerParent } = require('../../processes');
const { get } = require('./get');
const { Prober } = require('./Prober');
const { readList } = require('./readList');

let prober;

answerParent({
  get,
  readList,
  startProbing(target, path) {
    prober = new Prober(target, path);
  },
  /** The duration of each request in milliseconds. */
  stopProbing: () => prober.stop(),
});
