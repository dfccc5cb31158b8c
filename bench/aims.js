const { judged } = require('./frame/report');
const { middle } = require('./frame/statistics');

/**
 * Ours to the same promises by hand in the same store: the least ratio of requests per second in the database and in
 * memory, and whether requests share nothing, so that each may cost only this much CPU time more.
 */
const leastRatios = [
  ['me', 1, 0.9, 0.85, true],
  ['different', 1, 1, 0.85, true],
  ['different', 64, 0.9, 0.9, true],
  ['same', 64, 3, 3],
  ['me', 64, 3, 1.5],
];
const MOST_CPU = { serverCpuMs: ['server CPU', 1.25], databaseCpuMs: ['database CPU', 1] };

const ratio = (
  load,
  connections,
  name,
  against,
  bound,
  [figure, about, is] = ['perSecond', 'requests/s', 'at least'],
) => ({ load, connections, name, against, bound, figure, about, is });

/** The aims that are ratios. On PostgreSQL and SQLite, that of a lone list is the same in both stores. */
const ratiosOn = (engine) => [
  ...leastRatios.flatMap(([load, connections, database, memory, isAlone]) =>
    Object.entries({ database, memory }).flatMap(([store, bound]) => {
      const isLoneList = load === 'different' && connections === 1 && engine !== 'mariadb';
      const pair = [load, connections, store, `same-promises-${store}`];
      const costs = isAlone ? Object.entries(MOST_CPU) : [];
      return [
        ratio(...pair, isLoneList ? 0.9 : bound),
        ...costs.map(([figure, [about, most]]) => ratio(...pair, most, [figure, about, 'at most'])),
      ];
    }),
  ),
  ratio('million', 1, 'million', 'thousand', 0.95),
  ratio('million', 64, 'million', 'thousand', 0.95),
  ratio('mounts', 1, 'handler', 'memory', 0.95),
  ratio('mounts', 64, 'handler', 'memory', 0.95),
  ratio('processes', 64, '4-processes', 'database', 1),
];

/** The most that the slowest of ours may have. */
const mostOfOurs = ['me', 'same', 'different', 'page'].flatMap((load) => [
  { load, connections: 64, about: 'loop p99 of ours', figure: 'loopDelay', bound: 20 },
  { load, connections: 1, about: 'statements of ours', figure: 'statements', bound: 3 },
]);

/** The aims on this engine that these results can answer, judged. */
function judge(loads, engine) {
  const subjectsOf = ({ load, connections }) =>
    loads.find(({ name }) => name === load)?.results?.find((result) => result.connections === connections)
      ?.subjects ?? [];

  return [
    ...ratiosOn(engine).flatMap((aim) => {
      const find = (name) => subjectsOf(aim).find((subject) => subject.name === name);
      const [ours, theirs] = [find(aim.name), find(aim.against)];
      const value = ours && theirs ? middle(ours, aim.figure) / middle(theirs, aim.figure) : NaN;
      if (Number.isNaN(value)) return [];
      const about = `${aim.load}, ${aim.connections}: ${aim.about}, ${ours.label} / ${theirs.label}`;
      return judged(about, value, aim.is, aim.bound);
    }),
    ...mostOfOurs.flatMap((aim) => {
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
