const { basename } = require('node:path');
const { parseArgs } = require('node:util');
const { requireProgram } = require('../test/servers/requireProgram');
const { bothSides, buildOther, pairsOfSides } = require('./against');
const { judge } = require('./aims');
const { chosen, secondsOf, wholeNumber } = require('./arguments');
const { contestants, rivalOf } = require('./contestants');
const { loads } = require('./loads');
const { measureLoad } = require('./measure');
const { runBenchmark, say } = require('./processes');
const { formatRatios, formatReport } = require('./report');
const { Servers } = require('./servers');
const { isPossible, setUp } = require('./setup');
const { attempt } = require('./statistics');

const stores = ['database', 'memory', 'redis'];

const usage = `npm run bench -- [--quick] [--against COMMIT|TARBALL] [--loads A,B] [--contestants A,B] [--stores A,B]
  [--connections N,N] [--seconds N] [--rounds N] [--json]

loads: ${Object.keys(loads).join(', ')}
contestants: ${Object.keys(contestants).join(', ')}
stores, with --against: ${stores.join(', ')}`;

const options = {
  quick: { type: 'boolean', default: false },
  against: { type: 'string' },
  loads: { type: 'string' },
  contestants: { type: 'string' },
  stores: { type: 'string' },
  connections: { type: 'string' },
  seconds: { type: 'string' },
  rounds: { type: 'string' },
  json: { type: 'boolean', default: false },
};

/** What is measured without further arguments. */
const usual = {
  full: { loads: Object.keys(loads), contestants: Object.keys(contestants), seconds: 3, rounds: 5 },
  quick: {
    loads: ['different', 'same', 'me'],
    contestants: ['by-hand', 'same-promises-database', 'same-promises-memory', 'database', 'memory'],
    connections: [1, 64],
    seconds: 0.5,
    rounds: 3,
  },
};

/** Parses the arguments. Throws with the usage if they are wrong. */
function readArguments(args) {
  try {
    const { values } = parseArgs({ args, options });
    const { quick, against, json } = values;
    const given = quick || against !== undefined ? usual.quick : usual.full;
    const seconds = secondsOf('seconds', values.seconds ?? given.seconds);
    const names = (option, all) => chosen(option, values[option], all);
    return {
      isShort: given === usual.quick,
      against,
      json,
      loads: values.loads === undefined ? given.loads : names('loads', Object.keys(loads)),
      contestants:
        values.contestants === undefined ? given.contestants : names('contestants', Object.keys(contestants)),
      stores: values.stores === undefined ? ['database'] : names('stores', stores),
      connections:
        values.connections?.split(',').map((text) => wholeNumber('connections', text)) ?? given.connections,
      seconds,
      rounds: wholeNumber('rounds', values.rounds ?? given.rounds),
      warmSeconds: Math.min(16, 15 * seconds),
    };
  } catch (error) {
    throw new Error(`${error.message}\n\n${usage}`);
  }
}

/** The loads with the contestants that take part. */
function withSubjects({ loads: names, contestants: present }, sides) {
  const planned = names
    .map((name) => loads[name])
    .map((load) => ({
      ...load,
      subjects:
        sides ?? load.subjects.filter((each) => present.includes(each.contestant) && isPossible(each)),
    }))
    .filter(({ subjects }) => subjects.length > 0);
  if (planned.length === 0) throw new Error('None of these contestants takes part in these loads.');
  return planned;
}

/** Ours, each beside its rival with the same promises and beside the afternoon's work. */
function pairsByHand(subjects) {
  return subjects
    .filter(({ ours }) => ours)
    .flatMap((ours) =>
      [rivalOf(ours), 'by-hand'].map((name) => [[ours], subjects.filter((each) => each.name === name)]),
    )
    .filter(([, [theirs]]) => theirs);
}

runBenchmark(async (args) => {
  const asked = readArguments(args);
  requireProgram('wrk', 'wrk');
  const { against, isShort, json, seconds, rounds } = asked;
  const other = against === undefined ? undefined : await buildOther(against);
  let setting;
  try {
    const planned = withSubjects(asked, other && bothSides(asked.stores, basename(against), other.folder));
    const setup = await setUp(planned, say);
    setting = {
      ...asked,
      ...setup,
      servers: new Servers(setup),
      connectionsOf: (load) => asked.connections ?? load.connections,
    };
    const measured = [];
    for (const load of planned) {
      say(`${load.name}: ${load.subjects.map(({ label }) => label).join('; ')} …`);
      const { name, title } = load;
      measured.push({ name, title, ...(await attempt(() => measureLoad(setting, load))) });
    }
    const head = `Node ${process.version}, MariaDB ${setting.server.version}, medians of ${rounds} rounds of ${seconds} s.`;
    const report = { head, loads: measured, aims: isShort ? [] : judge(measured) };
    const pairsOf = other ? pairsOfSides : pairsByHand;
    if (json) console.log(JSON.stringify(report, null, 2));
    else console.log(isShort ? formatRatios({ ...report, pairsOf }) : formatReport(report));
    process.exitCode = measured.some(({ failure }) => failure) ? 1 : 0;
  } finally {
    await setting?.servers.stop();
    await setting?.stop();
    await other?.remove();
  }
});
