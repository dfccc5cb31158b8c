/** The ratio of requests per second to another contestant's, from medians of one run. */
const ratio = (load, connections, name, against, bound) => ({
  load,
  connections,
  name,
  against,
  bound,
  measure: 'ratio',
});

/** The aims of the benchmark. `atMost`, `atLeast`, `below` and `above` are the kinds of bounds. */
const aims = [
  ratio('same', 1, 'memory', 'bare', { atLeast: 0.85 }),
  ratio('same', 1, 'database', 'bare', { atLeast: 0.6 }),
  ratio('same', 64, 'memory', 'bare', { atLeast: 3 }),
  ratio('same', 64, 'database', 'bare', { atLeast: 2 }),
  ratio('different', 64, 'memory', 'bare', { atLeast: 1 }),
  ratio('different', 64, 'database', 'bare', { atLeast: 0.8 }),
  ratio('same', 64, 'database', 'by-hand', { atLeast: 5 }),
  ratio('different', 64, 'database', 'by-hand', { atLeast: 2 }),
  ratio('me', 64, 'memory', 'constant', { atLeast: 0.5 }),
  ratio('million', 1, 'million', 'thousand', { atLeast: 0.95 }),
  ratio('million', 64, 'million', 'thousand', { atLeast: 0.95 }),
  ratio('processes', 64, 'four-database', 'database', { above: 1 }),
  ...['me', 'same', 'different', 'page'].flatMap((load) => [
    { load, connections: 64, measure: 'loopDelay', bound: { below: 20 } },
    { load, connections: 1, measure: 'statements', bound: { atMost: 3 } },
    { load, connections: 64, measure: 'growth', bound: { below: 1 } },
  ]),
];

module.exports = { aims };
