const leadShare = 0.1;

/** Runs one stretch of load on a contestant. Returns its answers, and the CPU time of all processes meanwhile. */
async function measureStretch(setting, server, connections) {
  try {
    return await stretch(setting, server, connections);
  } catch (error) {
    throw new Error(`${server.label}, ${connections} connections: ${error.message}`, { cause: error });
  }
}

async function stretch({ loader, meter, seconds }, { children, ports, work }, connections) {
  await loader.call('open', { ports, connections, ...work });
  try {
    await loader.call('run', seconds * leadShare);
    await Promise.all(children.map((child) => child.call('watch')));
    const before = await meter.read();
    const { answers, failures, latency, ...run } = await loader.call('run', seconds);
    const after = await meter.read();
    const watched = await Promise.all(children.map((child) => child.call('watched')));
    if (answers === 0) throw new Error(`every answer failed: ${JSON.stringify(failures)}.`);
    const perAnswer = (whole) => whole / answers;
    const cpuMs = {
      server: watched.reduce((sum, each) => sum + each.cpuMs, 0),
      database: after.cpuMs - before.cpuMs,
      loader: run.cpuMs,
    };
    return {
      perSecond: answers / run.seconds,
      p50: latency.p50,
      p99: latency.p99,
      // One of them is the meter's own statement.
      statements: perAnswer(after.statements - before.statements - 1),
      cpuMs: mapValues(cpuMs, perAnswer),
      cores: mapValues(cpuMs, (spent) => spent / 1000 / run.seconds),
      loopDelay: Math.max(...watched.map((each) => each.loopDelay.p99)),
      failures,
    };
  } finally {
    await loader.call('close');
  }
}

const mapValues = (object, task) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, task(value)]));

module.exports = { measureStretch };
