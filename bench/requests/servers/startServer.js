const { join } = require('node:path');
const { ChildProcess } = require('../../processes/ChildProcess');

/** A contestant in so many processes, each with a port of its own. */
async function startServer({ script, env, processes = 1 }, shared) {
  const children = Array.from(
    { length: processes },
    () =>
      new ChildProcess(join(__dirname, `${script}.js`), {
        env: { ...shared, ...env, NODE_ENV: 'production' },
      }),
  );
  const stop = () => Promise.all(children.map((child) => child.stop()));
  try {
    const ports = await Promise.all(children.map((child) => child.call('start')));
    return { children, ports, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

module.exports = { startServer };
