const { answerParent } = require('../../processes/answerParent');
const { Loader } = require('./Loader');

let loader;

answerParent({
  async open(work) {
    loader = new Loader(work);
    await loader.opened();
  },
  run: (seconds) => loader.run(seconds),
  close: () => loader.close(),
});
