const { join } = require('node:path');

const ROOT = join(__dirname, '..', '..');

const ours = (store) => ({ label: `ours, ${store}`, script: 'ours', store, ours: true, promises: true });

const samePromises = (store) => ({
  label: `by hand, same promises, ${store}`,
  script: 'samePromises',
  store,
  promises: true,
});

/** The contestants by their names on the command line. `promises` says that `check.js` tests the promises of each. */
const all = {
  constant: { label: 'a constant', script: 'constant' },
  bare: { label: 'bare', script: 'bare' },
  'by-hand': { label: 'by hand, an afternoon', script: 'byHand' },
  'same-promises-database': samePromises('database'),
  'same-promises-memory': samePromises('memory'),
  database: ours('database'),
  memory: ours('memory'),
  redis: ours('redis'),
};

/**
 * A load may let a contestant take part under another name, with another database, more tokens or more processes.
 * `build` is the folder of a build of the module.
 */
const usual = { ours: false, promises: false, database: 'panel', tokens: 1, processes: 1, build: ROOT };

const contestants = Object.fromEntries(
  Object.entries(all).map(([name, contestant]) => [
    name,
    { ...usual, ...contestant, script: join(__dirname, `${contestant.script}.js`), name, contestant: name },
  ]),
);

/** The contestant that makes the same promises as one of ours, in the same store. */
const rivalOf = ({ store }) => `same-promises-${store === 'database' ? 'database' : 'memory'}`;

module.exports = { contestants, ROOT, rivalOf };
