const { formatTable } = require('../../report/formatTable');

function formatReport({ node, database, rounds, seconds, loads }) {
  return [
    `Node ${node}, MariaDB ${database}, medians of ${rounds} rounds of ${seconds} s.`,
    ...loads.flatMap(loadLines),
  ].join('\n');
}

function loadLines({ title, failure, results }) {
  if (failure) return ['', title, '', `  Not measured. ${failure}`];
  return results.flatMap(({ connections, subjects }) => [
    '',
    `${title}, ${connections} connections`,
    '',
    ...formatTable([
      [
        '',
        'requests/s',
        'min',
        'max',
        'p50 ms',
        'p99 ms',
        'CPU ms',
        'database',
        'loader',
        'statements',
        'loop p99',
        'failed',
      ],
      ...subjects.map((s) => [
        s.label,
        whole(s.perSecond.median),
        whole(s.perSecond.min),
        whole(s.perSecond.max),
        s.p50.toFixed(2),
        s.p99.toFixed(2),
        s.cpuMs.server.toFixed(3),
        s.cpuMs.database.toFixed(3),
        s.cpuMs.loader.toFixed(3),
        s.statements.toFixed(2),
        s.loopDelay.toFixed(1),
        JSON.stringify(s.failures),
      ]),
    ]).map((line) => `  ${line}`),
  ]);
}

const whole = (number) => Math.round(number).toLocaleString('en');

module.exports = { formatReport };
