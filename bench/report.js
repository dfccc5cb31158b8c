const { rivalOf } = require('./contestants');
const { median } = require('./statistics');

/** The lines of a table with a left-aligned first column and right-aligned others. */
function formatTable(rows) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
      .join('   ')
      .trimEnd(),
  );
}

/** The median of a figure over all rounds of a contestant. */
const middle = ({ stretches }, figure) => median(stretches.map((stretch) => stretch[figure]));

const connectionsText = (count) => (count === 1 ? '1 connection' : `${count} connections`);

const whole = (number) => Math.round(number).toLocaleString('en');

/** The whole report as text. */
function formatReport({ head, loads, aims }) {
  const rows = loads.flatMap(({ name, failure, results }) =>
    failure
      ? [titleRow(`${name}: not measured. ${failure}`)]
      : results.flatMap(({ connections, subjects }) => [
          titleRow(`${name}, ${connectionsText(connections)}`),
          ...subjects.map((subject) => cellsOf(subject, subjects)),
        ]),
  );
  return [head, '', ...formatTable([columns, ...rows]), '', ...formatTable(aims.map(aimCells))].join('\n');
}

const columns = [
  '',
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
  '/ by hand',
  '/ same promises',
];

const titleRow = (title) => [title, ...columns.slice(1).map(() => '')];

function cellsOf(subject, subjects) {
  const perSecond = subject.stretches.map((stretch) => stretch.perSecond);
  const p99 = middle(subject, 'p99');
  const three = (figure) =>
    [0, 1, 2]
      .map((index) => median(subject.stretches.map((each) => each[figure][index])).toFixed(2))
      .join(' ');
  const ratioTo = (name) => {
    const other = subject.ours && subjects.find((each) => each.name === name);
    return other ? (middle(subject, 'perSecond') / middle(other, 'perSecond')).toFixed(2) : '';
  };
  return [
    `  ${subject.label}`,
    whole(median(perSecond)),
    `${whole(Math.min(...perSecond))}..${whole(Math.max(...perSecond))}`,
    p99.toFixed(p99 < 10 ? 2 : 0),
    middle(subject, 'serverCpuMs').toFixed(3),
    middle(subject, 'databaseCpuMs').toFixed(3),
    three('cores'),
    middle(subject, 'statements').toFixed(2),
    three('kinds'),
    middle(subject, 'loopDelay').toFixed(1),
    String(failedOf(subject)),
    ratioTo('by-hand'),
    ratioTo(rivalOf(subject)),
  ];
}

function aimCells({ about, bound, value, reached, digits }) {
  const measured = value === undefined ? '' : value.toFixed(digits);
  return [about, bound, measured, value === undefined ? 'not measured' : reached ? 'reached' : 'missed'];
}

/** Ratios alone, of the pairs in each load, with the spread of each ratio. */
function formatRatios({ head, loads, pairsOf }) {
  const rows = loads.flatMap(({ name, failure, results }) =>
    failure
      ? [[`${name}: not measured. ${failure}`, '', '', '', '', '']]
      : results.flatMap(({ connections, subjects }) =>
          pairsOf(subjects).map((pair) => [
            `${name}, ${connectionsText(connections)}: ${pair.map(([{ label }]) => label).join(' / ')}`,
            ...ratioCells(pair),
          ]),
        ),
  );
  return [head, '', ...formatTable([['', 'requests/s', '', 'server CPU', '', 'failed'], ...rows])].join('\n');
}

/**
 * The ratios of the medians of two sides, and their spread: over each pair of their processes, or over the rounds if each
 * side has one process.
 */
function ratioCells([ours, theirs]) {
  const ratio = (figure) => {
    const values = (subjects) => subjects.map(({ stretches }) => stretches.map((each) => each[figure]));
    const [a, b] = [values(ours), values(theirs)];
    const spread =
      a.length > 1
        ? a.flatMap((mine) => b.map((other) => median(mine) / median(other)))
        : a[0].map((each, round) => each / b[0][round]);
    return [
      (median(a.flat()) / median(b.flat())).toFixed(2),
      `${Math.min(...spread).toFixed(2)}..${Math.max(...spread).toFixed(2)}`,
    ];
  };
  return [
    ...ratio('perSecond'),
    ...ratio('serverCpuMs'),
    String([...ours, ...theirs].map(failedOf).reduce((a, b) => a + b)),
  ];
}

const failedOf = ({ stretches }) => stretches.reduce((sum, { failed }) => sum + failed, 0);

module.exports = { formatRatios, formatReport, formatTable, middle };
