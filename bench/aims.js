const { judged } = require('./frame/report');
const { middle } = require('./frame/statistics');

/**
 * The least ratio of requests per second: of ours in memory and in the database to the same promises by hand in the
 * database, whose limit is exact for all processes too, and of both to the afternoon's work.
 */
const leastRatios = [
  ['me', 1, 1.35, 1.1, 0.95, 0.7],
  ['same', 1, 1.35, 1.1, 0.95, 0.7],
  ['different', 1, 1.35, 1.1, 0.95, 0.7],
  ['page', 1, 1.35, 1.1, undefined, 0.7],
  ['me', 64, undefined, undefined, 2.5, 2],
  ['same', 64, 6, 6, 4, 3],
  ['different', 64, 1.8, 1.7, 1.1, 1],
  ['page', 64, undefined, undefined, 4, 3],
];
const pairs = [
  ['memory', 'same-promises-database'],
  ['database', 'same-promises-database'],
  ['memory', 'by-hand'],
  ['database', 'by-hand'],
];

const ratio = (load, connections, name, against, bound) => ({ load, connections, name, against, bound });

const ratios = [
  ...leastRatios.flatMap(([load, connections, ...bounds]) =>
    pairs.map((pair, index) => ratio(load, connections, ...pair, bounds[index])),
  ),
  ratio('million', 1, 'million', 'thousand', 0.95),
  ratio('million', 64, 'million', 'thousand', 0.95),
  ratio('mounts', 1, 'handler', 'memory', 0.95),
  ratio('mounts', 64, 'handler', 'memory', 0.95),
  ratio('processes', 64, '4-processes', 'database', 1),
].filter(({ bound }) => bound !== undefined);

/** The most that the slowest of ours may have. */
const most = ['me', 'same', 'different', 'page'].flatMap((load) => [
  { load, connections: 64, about: 'loop p99 of ours', figure: 'loopDelay', bound: 20 },
  { load, connections: 1, about: 'statements of ours', figure: 'statements', bound: 3 },
]);

/** The aims that these results can answer, judged. */
function judge(loads) {
  const subjectsOf = ({ load, connections }) =>
    loads.find(({ name }) => name === load)?.results?.find((result) => result.connections === connections)
      ?.subjects ?? [];

  return [
    ...ratios.flatMap((aim) => {
      const find = (name) => subjectsOf(aim).find((subject) => subject.name === name);
      const [ours, theirs] = [find(aim.name), find(aim.against)];
      if (!ours || !theirs) return [];
      const about = `${aim.load}, ${aim.connections}: requests/s, ${ours.label} / ${theirs.label}`;
      return judged(about, middle(ours, 'perSecond') / middle(theirs, 'perSecond'), 'at least', aim.bound);
    }),
    ...most.flatMap((aim) => {
      const figures = subjectsOf(aim)
        .filter(({ ours }) => ours)
        .map((subject) => middle(subject, aim.figure))
        .filter(Number.isFinite);
      if (figures.length === 0) return [];
      // To one decimal: statements include what the module does once per second, independent of requests.
      const value = Math.round(Math.max(...figures) * 10) / 10;
      return judged(`${aim.load}, ${aim.connections}: ${aim.about}`, value, 'at most', aim.bound);
    }),
  ];
}

module.exports = { judge };
