const { truncate, writeFile } = require('node:fs/promises');
const { join } = require('node:path');
const { checkEquality, readAnswer } = require('./check');
const { interleaved } = require('./frame/statistics');
const { runWrk } = require('./wrk');

/** Measures one load with each number of connections: the stretches of each contestant, in the order of the rounds. */
async function measureLoad(setting, load) {
  const { serverOf, rounds, seconds, warmSeconds, meter } = setting;
  const contestants = [];
  for (const subject of load.subjects) contestants.push(await serverOf(subject));
  await assignWork(setting, load, contestants);
  await checkEquality(load, contestants);
  const results = load.connections.map((connections) => {
    const subjects = contestants.map(({ name, label, store, ours }) => ({
      name,
      label,
      store,
      ours,
      stretches: [],
    }));
    return { connections, subjects };
  });
  await warmUp(meter, load, contestants, warmSeconds);
  for (const { connections, subjects } of results) {
    const measure = (contestant) => measureStretch(meter, contestant, connections, seconds);
    for (const contestant of contestants) await measure(contestant);
    await interleaved(rounds, [...contestants.entries()], async ([index, contestant]) => {
      subjects[index].stretches.push(await measure(contestant));
    });
  }
  // A log of a whole run would fill the disk.
  for (const { logFile } of contestants) await truncate(logFile);
  return { results };
}

/**
 * A new process answers with up to four times the CPU time: its code is compiled within the first five to ten thousand
 * requests, and another part of it is used when nothing can be shared. So the first answers to each load do not count.
 */
async function warmUp(meter, { connections }, contestants, seconds) {
  for (const contestant of contestants)
    for (const count of new Set([Math.max(...connections), Math.min(...connections)]))
      await measureStretch(meter, contestant, count, seconds / 2);
}

/** Writes the requests of each contestant to a file: its paths with its tokens, in turn. */
async function assignWork({ folder, databases }, load, contestants) {
  const found = new Map();
  for (const [index, contestant] of contestants.entries()) {
    const { database, ours } = contestant;
    const { tokens } = databases[database];
    if (ours && load.find && !found.has(database))
      found.set(database, await load.find((path) => readAnswer(contestant, path, tokens[0])));
    const paths = load.paths(contestant, found.get(database));
    const lines = Array.from({ length: Math.max(contestant.tokens, paths.length) }, (_, line) => {
      const token = tokens[line % contestant.tokens];
      return `${token} /api/v1/${paths[line % paths.length]}\n`;
    });
    const requestsFile = join(folder, `requests-${index}`);
    await writeFile(requestsFile, lines);
    Object.assign(contestant, { token: tokens[0], paths, requestsFile });
  }
}

/** Runs one stretch of load on a contestant. Returns its answers, and the CPU time of all processes meanwhile. */
async function measureStretch(meter, { label, children, ports, requestsFile }, connections, seconds) {
  await Promise.all(children.map((child) => child.call('watch')));
  const before = await meter();
  const run = await runWrk({ ports, requestsFile, connections, seconds });
  const after = await meter();
  const watched = await Promise.all(children.map((child) => child.call('watched')));
  if (run.answers <= 0) throw new Error(`${label}, ${connections} connections: every answer failed.`);
  const cpuMs = {
    server: watched.reduce((sum, each) => sum + each.cpuMs, 0),
    database: after.cpuMs - before.cpuMs,
    wrk: run.cpuMs,
  };
  return {
    perSecond: run.answers / run.seconds,
    p50: run.p50,
    p99: run.p99,
    serverCpuMs: cpuMs.server / run.answers,
    databaseCpuMs: cpuMs.database / run.answers,
    cores: Object.values(cpuMs).map((spent) => spent / 1000 / run.seconds),
    // One of them is the meter's own statement.
    statements: (after.statements - before.statements - 1) / run.answers,
    kinds: after.kinds.map((count, kind) => (count - before.kinds[kind]) / run.answers),
    loopDelay: Math.max(...watched.map((each) => each.loopDelay.p99)),
    failed: run.refused + run.broken,
  };
}

module.exports = { measureLoad };
