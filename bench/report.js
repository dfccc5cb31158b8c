const { median, middle } = require('./frame/statistics');

const connectionsText = (count) => (count === 1 ? '1 connection' : `${count} connections`);

const failedOf = ({ stretches }) => stretches.reduce((sum, { failed }) => sum + failed, 0);

/** The rows of a table of loads, with the rows that `rowsOf` makes of a title and the subjects. */
const rowsOfLoads = (loads, rowsOf) =>
  loads.flatMap(({ name, failure, results }) =>
    failure
      ? [[`${name}: not measured. ${failure}`]]
      : results.flatMap(({ connections, subjects }) =>
          rowsOf(`${name}, ${connectionsText(connections)}`, subjects),
        ),
  );

const columns = [
  'requests/s',
  'min..max',
  'p99 ms',
  'CPU ms',
  'of database',
  'cores',
  'statements',
  'select insert update',
  'loop p99',
  'failed',
];

/** The figures of each contestant: medians of its rounds. */
function figuresTable(loads) {
  const rows = rowsOfLoads(loads, (title, subjects) => [[title], ...subjects.map(figuresOf)]);
  return [['', ...columns], ...rows];
}

function figuresOf(subject) {
  const { label, stretches } = subject;
  const three = (figure) =>
    [0, 1, 2].map((index) => median(stretches.map((each) => each[figure][index])).toFixed(2)).join(' ');
  const [perSecond, p99, server, database, statements, loopDelay] = [
    'perSecond',
    'p99',
    'serverCpuMs',
    'databaseCpuMs',
    'statements',
    'loopDelay',
  ].map((figure) => middle(subject, figure));
  const all = stretches.map((each) => Math.round(each.perSecond));
  const spread = [Math.min(...all), Math.max(...all)].map((each) => each.toLocaleString('en')).join('..');
  return [
    `  ${label}`,
    perSecond,
    spread,
    p99,
    server,
    database,
    three('cores'),
    statements,
    three('kinds'),
    loopDelay,
    String(failedOf(subject)),
  ];
}

/** Ratios of ours to both contestants by hand or, if there are two builds, of this build to the other one. */
function ratiosTable(loads) {
  const rows = rowsOfLoads(loads, (title, subjects) =>
    pairsOf(subjects).map((pair) => [
      `${title}: ${pair.map(([{ label }]) => label).join(' / ')}`,
      ...ratioCells(...pair),
    ]),
  );
  return [['', 'requests/s', '', 'server CPU', '', 'failed'], ...rows];
}

function pairsOf(subjects) {
  const named = (name) => subjects.filter((subject) => subject.name === name);
  const mine = new Map(
    subjects.filter(({ ours, name }) => ours && !name.startsWith('other-')).map((each) => [each.name, each]),
  );
  return [...mine.values()].flatMap(({ name, store }) =>
    [`other-${name}`, `same-promises-${store === 'database' ? store : 'memory'}`, 'by-hand']
      .map((against) => [named(name), named(against)])
      .filter(([, theirs]) => theirs.length > 0),
  );
}

/**
 * The ratios of the medians of two sides, and their spread: over each pair of their processes, or over the rounds if each
 * side has one process.
 */
function ratioCells(ours, theirs) {
  const ratio = (figure) => {
    const values = (subjects) => subjects.map(({ stretches }) => stretches.map((each) => each[figure]));
    const [a, b] = [values(ours), values(theirs)];
    const spread =
      a.length > 1
        ? a.flatMap((mine) => b.map((other) => median(mine) / median(other)))
        : a[0].map((each, round) => each / b[0][round]);
    const [least, most] = [Math.min(...spread), Math.max(...spread)].map((each) => each.toFixed(2));
    return [(median(a.flat()) / median(b.flat())).toFixed(2), `${least}..${most}`];
  };
  const failed = [...ours, ...theirs].map(failedOf).reduce((a, b) => a + b);
  return [...ratio('perSecond'), ...ratio('serverCpuMs'), String(failed)];
}

module.exports = { figuresTable, ratiosTable };
