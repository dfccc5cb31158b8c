const { median, middle } = require('./frame/statistics');

const whole = (number) => Math.round(number).toLocaleString('en');

/** A dash is what was not measured. */
const fixed = (number) => (Number.isFinite(number) ? number.toFixed(2) : '-');

const shortly = (number) => (number < 0.1 ? number.toPrecision(2) : fixed(number));

const spreadOf = (values, format) => `${format(Math.min(...values))}..${format(Math.max(...values))}`;

const figuresOf = (stretches, figure) => stretches.map((stretch) => stretch[figure]);

const failedOf = ({ stretches }) => figuresOf(stretches, 'failed').reduce((sum, failed) => sum + failed, 0);

const medianOf = (figure) => (subject) => middle(subject, figure);

/** The medians of three figures. */
const threeOf = (figure) => (subject) =>
  [0, 1, 2].map((index) => fixed(median(subject.stretches.map((each) => each[figure][index])))).join(' ');

/** The columns of a contestant's figures, which are medians of its rounds. */
const columns = {
  '': ({ label }) => `  ${label}`,
  'requests/s': medianOf('perSecond'),
  'min..max': ({ stretches }) => spreadOf(figuresOf(stretches, 'perSecond'), whole),
  'p99 ms': medianOf('p99'),
  'CPU ms': medianOf('serverCpuMs'),
  'of database': medianOf('databaseCpuMs'),
  cores: threeOf('cores'),
  statements: medianOf('statements'),
  'select insert update': threeOf('kinds'),
  'loop p99': medianOf('loopDelay'),
  failed: (subject) => String(failedOf(subject)),
};

/** The rows of all loads: those that `rowsOf` makes of a title and the contestants. */
const rowsOfLoads = (loads, rowsOf) =>
  loads.flatMap(({ name, failure, results }) => {
    if (failure) return [[`${name}: not measured. ${failure}`]];
    return results.flatMap(({ connections, subjects }) =>
      rowsOf(`${name}, ${connections === 1 ? '1 connection' : `${connections} connections`}`, subjects),
    );
  });

const figuresTable = (loads) => [
  Object.keys(columns),
  ...rowsOfLoads(loads, (title, subjects) => [
    [title],
    ...subjects.map((subject) => Object.values(columns).map((cellOf) => cellOf(subject))),
  ]),
];

/** Ratios of ours to both contestants by hand or, if there are two builds, of this build to the other one. */
const ratiosTable = (loads) => [
  ['', 'requests/s', '', 'server CPU', '', 'database CPU', '', 'failed'],
  ...rowsOfLoads(loads, (title, subjects) =>
    pairsOf(subjects).map((pair) => {
      const sides = pair.map(([{ label }]) => label).join(' / ');
      const failed = pair.flat().reduce((sum, subject) => sum + failedOf(subject), 0);
      return [
        `${title}: ${sides}`,
        ...ratio(pair, 'perSecond'),
        ...ratio(pair, 'serverCpuMs'),
        ...ratio(pair, 'databaseCpuMs'),
        String(failed),
      ];
    }),
  ),
];

/** Beside what a mount is measured that is not the usual one. */
const BESIDE = {
  handler: ['memory'],
  fetcher: ['handler'],
  'bun-handler': ['handler'],
  'bun-fetcher': ['handler', 'bun-handler'],
};

/** Each side is an array: with two builds, it has several processes. */
function pairsOf(subjects) {
  const named = (name) => subjects.filter((subject) => subject.name === name);
  const mine = subjects.filter(
    ({ ours, copy = 0, name }) => ours && copy === 0 && !name.startsWith('other-'),
  );
  return mine.flatMap(({ name, store }) =>
    [
      `other-${name}`,
      ...(BESIDE[name] ?? []),
      `same-promises-${store === 'database' ? store : 'memory'}`,
      'by-hand',
      ...(name === 'database' ? ['floor-http', 'floor-driver', 'floor-knex'] : []),
    ]
      .map((against) => [named(name), named(against)])
      .filter(([, theirs]) => theirs.length > 0),
  );
}

/**
 * The ratio of the medians of two sides, and its spread: over each pair of their processes, or over the rounds if each
 * side has one process.
 */
function ratio(pair, figure) {
  const [ours, theirs] = pair.map((side) => side.map(({ stretches }) => figuresOf(stretches, figure)));
  const spread =
    ours.length > 1
      ? ours.flatMap((mine) => theirs.map((other) => median(mine) / median(other)))
      : ours[0].map((each, round) => each / theirs[0][round]);
  const all = median(ours.flat()) / median(theirs.flat());
  return [shortly(all), Number.isFinite(all) ? spreadOf(spread, shortly) : '-'];
}

module.exports = { figuresTable, ratiosTable };
