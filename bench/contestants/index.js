const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { runtimes } = require('../../test/runtimes/packages');
const { findProgram } = require('../../test/servers/findProgram');

const { bun } = runtimes;
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

/** The module in a panel that is not Koa, run by this program. */
const mounted = (name, label, env, program) => ({
  ...ours('memory'),
  name,
  contestant: name,
  label: `ours, memory, ${label}`,
  env,
  program,
});

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
    mounted('handler', 'http', { MOUNT: 'http' }),
    mounted('fetcher', 'requests', { MOUNT: 'requests' }),
    mounted('bun-handler', 'http of Bun', { MOUNT: 'http' }, bun.program),
    mounted('bun-fetcher', 'Bun.serve', { MOUNT: 'bun' }, bun.program),
  ].map((each) => [each.name, each]),
);

const naive = contestant('naive', 'naive', 'naive');

/** Whether a contestant can run on this machine. */
const isPossible = ({ store, program }) =>
  (store !== 'redis' || findProgram('redis-server') !== undefined) &&
  (program === undefined || existsSync(program));

module.exports = { contestants, isPossible, naive, ROOT };
