const { middle } = require('./report');

/** The ratio of requests per second to those of another contestant. */
const ratio = (load, connections, name, against, atLeast) => ({
  load,
  connections,
  figure: 'requests/s',
  name,
  against,
  atLeast,
});

const lists = ['same', 'different', 'page'];
// Its limit is exact for all processes, as that of the module in the database.
const rival = 'same-promises-database';

const aims = [
  // By hand with the same promises is the race that counts.
  ...['me', ...lists].flatMap((load) => [
    ratio(load, 1, 'memory', rival, 1.35),
    ratio(load, 1, 'database', rival, 1.1),
  ]),
  ratio('different', 64, 'memory', rival, 1.8),
  ratio('different', 64, 'database', rival, 1.7),
  ratio('same', 64, 'memory', rival, 6),
  ratio('same', 64, 'database', rival, 6),

  ...['me', 'same', 'different'].map((load) => ratio(load, 1, 'memory', 'by-hand', 0.95)),
  ...['me', ...lists].map((load) => ratio(load, 1, 'database', 'by-hand', 0.7)),
  ratio('different', 64, 'memory', 'by-hand', 1.1),
  ratio('different', 64, 'database', 'by-hand', 1),
  ...['same', 'page'].flatMap((load) => [
    ratio(load, 64, 'memory', 'by-hand', 4),
    ratio(load, 64, 'database', 'by-hand', 3),
  ]),
  ratio('me', 64, 'memory', 'by-hand', 2.5),
  ratio('me', 64, 'database', 'by-hand', 2),

  ratio('million', 1, 'million', 'thousand', 0.95),
  ratio('million', 64, 'million', 'thousand', 0.95),
  ratio('processes', 64, '4-processes', 'database', 1),
  // For the slowest of ours.
  ...['me', ...lists].flatMap((load) => [
    { load, connections: 64, figure: 'loop p99 of ours', stretchFigure: 'loopDelay', atMost: 20 },
    { load, connections: 1, figure: 'statements of ours', stretchFigure: 'statements', atMost: 3 },
  ]),
];

/** The aims that these results can answer, with the measured values. */
function judge(loads) {
  return aims.flatMap((aim) => {
    const load = loads.find(({ name }) => name === aim.load);
    const subjects = load?.results?.find(({ connections }) => connections === aim.connections)?.subjects;
    const value = subjects && valueOfAim(aim, subjects);
    if (value === undefined) return [];
    const { load: name, connections, figure, atLeast, atMost } = aim;
    return {
      about: `${name}, ${connections}: ${figure}${aim.name ? `, ${sidesOf(aim, subjects)}` : ''}`,
      bound: atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`,
      value,
      reached: atLeast === undefined ? value <= atMost : value >= atLeast,
      digits: aim.name ? 2 : 1,
    };
  });
}

const find = (subjects, name) => subjects.find((subject) => subject.name === name);

const sidesOf = ({ name, against }, subjects) =>
  `${find(subjects, name).label} / ${find(subjects, against).label}`;

function valueOfAim({ name, against, stretchFigure }, subjects) {
  if (name) {
    const [ours, theirs] = [find(subjects, name), find(subjects, against)];
    return ours && theirs && middle(ours, 'perSecond') / middle(theirs, 'perSecond');
  }
  const figures = subjects.filter(({ ours }) => ours).map((subject) => middle(subject, stretchFigure));
  if (figures.length === 0) return undefined;
  // To one decimal: statements include what the module does once per second, independent of requests.
  return Math.round(Math.max(...figures) * 10) / 10;
}

module.exports = { aims, judge };
