const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { truncate, writeFile } = require('node:fs/promises');
const { join } = require('node:path');
const { text } = require('node:stream/consumers');
const { setTimeout: sleep } = require('node:timers/promises');
const { requireProgram } = require('../test/servers/requireProgram');
const { checkEquality, readAnswer } = require('./check');
const { endWithParent } = require('./frame/processes');
const { inTurn } = require('./frame/statistics');

const SCRIPT = join(__dirname, 'wrk.lua');
const patience = '30s';
const spareSeconds = 5;

/** Measures one load with each number of connections: the stretches of each contestant, in the order of the rounds. */
async function measureLoad(setting, load) {
  const { serverOf, rounds, seconds, warmSeconds, meter } = setting;
  const contestants = [];
  for (const subject of load.subjects) contestants.push(await serverOf(subject));
  await assignWork(setting, load, contestants);
  await checkEquality(load, contestants);
  await warmUp(meter, load, contestants, warmSeconds);
  const results = [];
  for (const connections of load.connections) {
    const measure = (contestant) => measureStretch(meter, contestant, connections, seconds);
    const stretches = await inTurn({ rounds, cold: 1 }, contestants, measure);
    const subjects = contestants.map(({ name, label, store, ours, copy }, index) => {
      return { name, label, store, ours, copy, stretches: stretches[index] };
    });
    results.push({ connections, subjects });
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
    const tokens = load.token
      ? [await databases[database].createToken(load.token)]
      : databases[database].tokens;
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

/**
 * Sends requests over keep-alive connections, each with one request at a time, and counts the answers. `requestsFile`
 * has a token and a path in each line; they are sent in turn. Latencies and `cpuMs`, wrk's own CPU time, are in
 * milliseconds.
 */
async function runWrk({ ports, requestsFile, connections, seconds }) {
  const args = [
    `--threads=${Math.min(ports.length, connections)}`,
    `--connections=${connections}`,
    // wrk takes whole seconds, and ends earlier by a signal. Without this process it ends by itself.
    `--duration=${Math.ceil(seconds) + spareSeconds}`,
    `--timeout=${patience}`,
    `--script=${SCRIPT}`,
    `http://127.0.0.1:${ports[0]}/`,
  ];
  const env = { ...process.env, PORTS: ports.join(), REQUESTS: requestsFile };
  const program = requireProgram('wrk', 'wrk');
  const wrk = endWithParent(spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] }));
  const printed = Promise.all([text(wrk.stdout), text(wrk.stderr)]);
  await once(wrk, 'spawn');
  await sleep(seconds * 1000);
  wrk.kill('SIGINT');
  const [output, errors] = await printed;
  const [, json] = /^(\{.*\})$/m.exec(output) ?? [];
  if (!json) throw new Error(`wrk failed: ${(errors || output).trim()}`);
  const { requests, refused, ...result } = JSON.parse(json);
  return { ...result, refused, answers: requests - refused };
}

module.exports = { measureLoad };
