const usual = { ours: false, database: 'panel', tokens: 1, processes: 1 };

const ours = (store) => ({ label: `ours, ${store}`, script: 'ours', env: { STORE: store }, ours: true });

const all = {
  bare: { label: 'bare', script: 'bare' },
  constant: { label: 'a constant', script: 'constant' },
  'by-hand': { label: 'by hand', script: 'byHand' },
  database: ours('database'),
  memory: ours('memory'),
  redis: ours('redis'),
};

/**
 * The contestants by their names on the command line. A load may let one take part several times under other names,
 * with another database, more tokens or more processes.
 */
const contestants = Object.fromEntries(
  Object.entries(all).map(([name, contestant]) => [
    name,
    { ...usual, ...contestant, name, contestant: name },
  ]),
);

module.exports = { contestants };
