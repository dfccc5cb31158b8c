const { join } = require('node:path');
const { findProgram } = require('../../test/servers/findProgram');

const ROOT = join(__dirname, '..', '..');

/** What is usual: a load may let a contestant take part otherwise. `build` is the folder of a build of the module. */
const usual = { ours: false, promises: false, database: 'panel', tokens: 1, processes: 1, build: ROOT };

const contestant = (name, label, script, more) => ({
  ...usual,
  name,
  contestant: name,
  label,
  script: join(__dirname, `${script}.js`),
  ...more,
});

const ours = (store) => contestant(store, `ours, ${store}`, 'ours', { store, ours: true, promises: true });

const samePromises = (store) =>
  contestant(`same-promises-${store}`, `by hand, same promises, ${store}`, 'same-promises', {
    store,
    promises: true,
  });

const floor = (kind, label) =>
  contestant(`floor-${kind}`, `floor, ${label}`, 'floors', { env: { FLOOR: kind } });

/** By their names on the command line. `promises` says that `check.js` tests the promises of each. */
const contestants = Object.fromEntries(
  [
    contestant('by-hand', 'by hand, an afternoon', 'by-hand'),
    samePromises('database'),
    samePromises('memory'),
    ours('database'),
    ours('memory'),
    ours('redis'),
    floor('http', 'plain http'),
    floor('driver', 'bare driver'),
    floor('knex', 'knex'),
    {
      ...ours('memory'),
      name: 'handler',
      contestant: 'handler',
      label: 'ours, memory, http',
      env: { MOUNT: 'http' },
    },
  ].map((each) => [each.name, each]),
);

const naive = contestant('naive', 'naive', 'naive');

/** Whether a contestant can run on this machine. */
const isPossible = ({ store }) => store !== 'redis' || findProgram('redis-server') !== undefined;

module.exports = { contestants, isPossible, naive, ROOT };
