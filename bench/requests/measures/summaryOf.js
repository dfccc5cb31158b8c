const { median } = require('../../measures/statistics');

/** The rounds of one contestant under one load: medians, minimum and maximum. */
function summaryOf(stretches) {
  const middle = (read) => median(stretches.map(read));
  const perSecond = stretches.map((stretch) => stretch.perSecond);
  const ofProcesses = (name) => ({
    server: middle((stretch) => stretch[name].server),
    database: middle((stretch) => stretch[name].database),
    loader: middle((stretch) => stretch[name].loader),
  });
  return {
    perSecond: { median: median(perSecond), min: Math.min(...perSecond), max: Math.max(...perSecond) },
    p50: middle(({ p50 }) => p50),
    p99: middle(({ p99 }) => p99),
    statements: middle(({ statements }) => statements),
    cpuMs: ofProcesses('cpuMs'),
    cores: ofProcesses('cores'),
    loopDelay: middle(({ loopDelay }) => loopDelay),
    failures: failuresOf(stretches),
  };
}

/** The number of failed requests, by status. */
function failuresOf(stretches) {
  const counts = {};
  for (const { failures } of stretches) {
    for (const [status, count] of Object.entries(failures)) counts[status] = (counts[status] ?? 0) + count;
  }
  return counts;
}

module.exports = { summaryOf };
