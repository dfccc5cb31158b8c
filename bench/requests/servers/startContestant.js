const { join } = require('node:path');
const { ChildProcess } = require('../../processes/ChildProcess');

/** A contestant in its number of processes, each with its own port. */
async function startContestant({ databases, shared }, subject) {
  const env = {
    ...shared,
    ...subject.env,
    DATABASE_URL: databases[subject.database].url,
    NODE_ENV: 'production',
  };
  const script = join(__dirname, `${subject.script}.js`);
  const children = Array.from({ length: subject.processes }, () => new ChildProcess(script, { env }));
  const stop = () => Promise.all(children.map((child) => child.stop()));
  try {
    const ports = await Promise.all(children.map((child) => child.call('start')));
    return { ...subject, children, ports, stop };
  } catch (error) {
    await stop();
    throw new Error(`${subject.label}: ${error.message}`, { cause: error });
  }
}

module.exports = { startContestant };
