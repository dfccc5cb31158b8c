const { formatTable } = require('../../report/formatTable');
const { connectionsText } = require('./connectionsText');

/** One load: a table for each number of connections. */
function loadLines({ name, title, against, failure, results }) {
  const head = `${name}: ${title}`;
  if (failure) return ['', head, '', `  Not measured. ${failure}`];
  return results.flatMap(({ connections, subjects }) => [
    '',
    `${head}, ${connectionsText(connections)}`,
    '',
    ...table(subjects, against).map((line) => `  ${line}`),
  ]);
}

function table(subjects, against) {
  const others = against.flatMap((name) => subjects.filter((subject) => subject.name === name));
  return formatTable([
    [
      '',
      'requests/s',
      'min..max',
      'p99 ms',
      'CPU ms',
      'of database',
      'cores',
      'statements',
      'loop p99',
      'failed',
      ...others.map(({ label }) => `/ ${label}`),
    ],
    ...subjects.map((subject) => [
      ...cells(subject),
      ...others.map((other) => (subject.perSecond.median / other.perSecond.median).toFixed(2)),
    ]),
  ]);
}

function cells({ label, perSecond, p99, cpuMs, cores, statements, loopDelay, failures }) {
  return [
    label,
    whole(perSecond.median),
    `${whole(perSecond.min)}..${whole(perSecond.max)}`,
    p99.toFixed(p99 < 10 ? 2 : 0),
    cpuMs.server.toFixed(3),
    cpuMs.database.toFixed(3),
    [cores.server, cores.database, cores.loader].map((each) => each.toFixed(2)).join(' '),
    statements.toFixed(2),
    loopDelay.toFixed(1),
    failed(failures),
  ];
}

const failed = (failures) =>
  Object.entries(failures)
    .map(([status, count]) => `${count} x ${status}`)
    .join(', ') || '0';

const whole = (number) => Math.round(number).toLocaleString('en');

module.exports = { loadLines };
