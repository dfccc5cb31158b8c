const { judged } = require('./frame/report');
const { middle } = require('./frame/statistics');

/** A function for aims of one figure. What is compared: load, connections, two contestants; then the bound. */
const ratio =
  (figure, about, is) =>
  (...compared) => ({ figure, about, is, compared });
const speed = ratio('perSecond', 'requests/s', 'at least');
const serverCpu = ratio('serverCpuMs', 'server CPU', 'at most');
const databaseCpu = ratio('databaseCpuMs', 'database CPU', 'at most');

/** The aims for ours to the same promises by hand, in the store of both. */
const toSamePromises = (load, connections, bounds) =>
  Object.entries(bounds).flatMap(([store, least]) => {
    const pair = [load, connections, store, `same-promises-${store}`];
    // Where requests share work, the aim for the speed includes those for the CPU.
    const costs = least > 1 ? [] : [serverCpu(...pair, 1.25), databaseCpu(...pair, 1)];
    return [speed(...pair, least), ...costs];
  });

const ratiosOn = (engine) => [
  ...toSamePromises('me', 1, { database: 0.9, memory: 0.85 }),
  ...toSamePromises(
    'different',
    1,
    engine === 'mariadb' ? { database: 1, memory: 0.85 } : { database: 0.9, memory: 0.9 },
  ),
  ...toSamePromises('different', 64, { database: 0.9, memory: 0.9 }),
  ...toSamePromises('same', 64, { database: 3, memory: 3 }),
  ...toSamePromises('me', 64, { database: 3, memory: 1.5 }),
  speed('million', 1, 'million', 'thousand', 0.95),
  speed('million', 64, 'million', 'thousand', 0.95),
  speed('mounts', 1, 'handler', 'memory', 0.95),
  speed('mounts', 64, 'handler', 'memory', 0.95),
  ...[1, 64].flatMap((connections) =>
    ['fetcher', 'bun-fetcher'].map((name) => speed('mounts', connections, name, 'handler', 0.7)),
  ),
  speed('processes', 64, '4-processes', 'database', 1),
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
    ...ratiosOn(engine).flatMap(({ figure, about, is, compared }) => {
      const [load, connections, name, against, bound] = compared;
      const find = (wanted) => subjectsOf({ load, connections }).find((subject) => subject.name === wanted);
      const [ours, theirs] = [find(name), find(against)];
      const value = ours && theirs ? middle(ours, figure) / middle(theirs, figure) : NaN;
      if (Number.isNaN(value)) return [];
      return judged(`${load}, ${connections}: ${about}, ${ours.label} / ${theirs.label}`, value, is, bound);
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
