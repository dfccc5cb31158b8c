const { spawnSync } = require('node:child_process');
const { mkdirSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..', '..');
const folder = join(root, 'node_modules', '.cache');
const library = join(folder, 'fastClock.so');

/**
 * Runs test files while the clock of the tests, of the module, of the databases and of Redis runs this many times as fast:
 * `node test/hunt/run.js 50 test/assistants`. A test that compares what two answers say at two moments then fails, because
 * a second lasts no longer than a request. `HUNT_FROM` is the moment from which on the clock runs.
 */
function hunt(speed, paths) {
  const from = Date.parse(process.env.HUNT_FROM ?? new Date().toISOString());
  if (!(speed > 0) || paths.length === 0 || Number.isNaN(from)) {
    console.error('Use: HUNT_FROM=2027-02-28T22:00Z npm run test:hunt -- 50 test/assistants');
    return 2;
  }
  mkdirSync(folder, { recursive: true });
  const compiler = [
    '-O2',
    '-shared',
    '-fPIC',
    '-o',
    library,
    join(__dirname, 'fastClock.c'),
    '-ldl',
    '-lpthread',
  ];
  if (spawnSync('cc', compiler, { stdio: 'inherit' }).status !== 0) return 2;
  const env = {
    ...process.env,
    LD_PRELOAD: library,
    FAST_CLOCK_SPEED: String(speed),
    FAST_CLOCK_BASE: String(Math.floor(Date.now() / 1000)),
    FAST_CLOCK_START: String(Math.floor(from / 1000)),
  };
  const jest = [join(root, 'node_modules/.bin/jest'), '--config', 'test/jest.config.js', ...paths];
  return spawnSync(process.execPath, jest, { cwd: root, env, stdio: 'inherit' }).status;
}

const [speed, ...paths] = process.argv.slice(2);
process.exitCode = hunt(Number(speed), paths);
