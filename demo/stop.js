const events = require('node:events');

const graceMs = 3000;

module.exports = function stopOnSignal(server, db, api) {
  let stopping = false;

  async function stop() {
    // npm passes Ctrl-C on to a process that has already received it from the terminal.
    if (stopping) return;
    stopping = true;
    const closed = events.once(server, 'close');
    server.close();
    setTimeout(() => server.closeAllConnections(), graceMs).unref();
    await closed;
    await api.usage.flush().catch(() => console.error('The last uses of tokens could not be counted.'));
    await db.destroy();
    console.log('\nThe demo has stopped.');
  }

  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
};
