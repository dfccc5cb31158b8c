const { writeFile } = require('node:fs/promises');
const { join } = require('node:path');
const { ChildProcess } = require('./processes');

/**
 * Starts a contestant in its number of processes, each with its own port. `setting` has the folder for its log, the
 * databases by name, and the URL of Redis if that runs.
 */
async function startServer({ folder, databases, redisUrl }, subject) {
  const logFile = join(folder, `${subject.name}-${performance.now()}.log`);
  await writeFile(logFile, '');
  const env = {
    DATABASE_URL: databases[subject.database].url,
    LOG_FILE: logFile,
    MODULE: subject.build,
    NODE_ENV: 'production',
    ...(subject.store && { STORE: subject.store }),
    ...(redisUrl && { REDIS_URL: redisUrl }),
    ...subject.env,
  };
  const { processes, script, flags } = subject;
  const children = Array.from({ length: processes }, () => new ChildProcess(script, { env, flags }));
  const stop = () => Promise.all(children.map((child) => child.stop()));
  try {
    const ports = await Promise.all(children.map((child) => child.call('start')));
    return { ...subject, children, ports, url: `http://127.0.0.1:${ports[0]}`, logFile, stop };
  } catch (error) {
    await stop();
    throw new Error(`${subject.label}: ${error.message}`, { cause: error });
  }
}

/** Runs the task with new servers of these contestants, and stops them. */
async function withServers(setting, subjects, task) {
  const servers = [];
  try {
    for (const subject of subjects) servers.push(await startServer(setting, subject));
    return await task(...servers);
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()));
  }
}

module.exports = { startServer, withServers };
