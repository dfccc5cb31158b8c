const { aimLines } = require('./aimLines');
const { loadLines } = require('./loadLines');

/** The whole report as text. */
function formatReport({ node, database, rounds, seconds, skipped, loads, aims, failures }) {
  return [
    `Node ${node}, MariaDB ${database}, medians of ${rounds} rounds of ${seconds} s.`,
    'CPU is that of the server and of the database for one request; cores are those that the server, the database and',
    "the load generator kept busy; statements are those to the database for one request; loop p99 is the event loop's",
    'delay in ms; the last columns are ratios of requests/s.',
    ...skipped.map((label) => `Without ${label}: redis-server is not installed.`),
    ...loads.flatMap(loadLines),
    ...aimLines(aims),
    ...(failures > 0 ? ['', `${failures} could not be measured.`] : []),
  ].join('\n');
}

module.exports = { formatReport };
