/** Lets the parent process call these functions. The process ends with its parent at the latest. */
function answerParent(functions) {
  process.on('message', async ({ call, name, args }) => {
    try {
      process.send({ call, result: await functions[name](...args) });
    } catch (error) {
      process.send({ call, error: error.message });
    }
  });
  process.once('disconnect', () => process.exit());
  // Ctrl-C reaches every process of the terminal, but only the parent handles it.
  process.on('SIGINT', () => {});
}

module.exports = { answerParent };
