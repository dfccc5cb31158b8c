const { requireProgram } = require('../test/servers/requireProgram');
const { startRedis } = require('../test/servers/startRedis');
const { bothSides } = require('./against');
const { judge } = require('./aims');
const { checkPromises } = require('./check');
const { contestants, isPossible, ROOT } = require('./contestants');
const {
  flag,
  oneOf,
  readArguments,
  seconds,
  someOf,
  text,
  wholeNumber,
  wholeNumbers,
} = require('./frame/arguments');
const { openMeter, PanelDatabase, startDatabase } = require('./frame/database');
const { engines } = require('./frame/engines');
const { runBenchmark, say } = require('./frame/processes');
const { formatReport } = require('./frame/report');
const { startServer } = require('./frame/servers');
const { attempt } = require('./frame/statistics');
const { loads } = require('./loads');
const { measureLoad } = require('./measure');
const { figuresTable, ratiosTable } = require('./report');

const readers = {
  quick: flag,
  against: text('COMMIT|TARBALL'),
  loads: someOf(Object.keys(loads)),
  contestants: someOf(Object.keys(contestants)),
  stores: someOf(['database', 'memory', 'redis']),
  connections: wholeNumbers,
  seconds,
  rounds: wholeNumber,
  engine: oneOf(Object.keys(engines)),
  json: flag,
};

/** What is measured without further arguments. */
const full = {
  engine: 'mariadb',
  loads: Object.keys(loads),
  contestants: Object.keys(contestants),
  seconds: 3,
  rounds: 5,
};
const quick = {
  loads: ['different', 'same', 'me'],
  contestants: ['by-hand', 'same-promises-database', 'same-promises-memory', 'database', 'memory'],
  connections: [1, 64],
  seconds: 0.5,
  rounds: 3,
};

/** The loads with the contestants that take part. */
async function planned({ loads: names, contestants: present, connections, against, stores = ['database'] }) {
  const sides = against && (await bothSides(stores, against));
  const takesPart = (subject) => present.includes(subject.contestant) && isPossible(subject);
  const plan = names
    .map((name) => ({ name, ...loads[name] }))
    .map((load) => ({
      ...load,
      connections: connections ?? load.connections,
      subjects: sides || load.subjects.filter(takesPart),
    }))
    .filter(({ subjects }) => subjects.length > 0);
  if (plan.length === 0) throw new Error('None of these contestants takes part in these loads.');
  return plan;
}

/** The tokens that clients have, and how many there are in all: a look-up in a table of one row would cost less. */
const usableTokens = 64;
const tokensIn = (name) => (name === 'million' ? 1_000_000 : 1000);

/** Starts the servers, and fills the databases that the loads need. */
async function setUp(plan, engine) {
  const server = await startDatabase(engine);
  const subjects = plan.flatMap((load) => load.subjects);
  const tables = [...new Set(plan.flatMap((load) => load.tables))];
  const databases = {};
  for (const { database: name, build } of [{ database: 'panel', build: ROOT }, ...subjects]) {
    if (databases[name]) continue;
    const database = await PanelDatabase.create(server, name, build, name === 'million' ? [] : tables);
    while (database.tokens.length < usableTokens) database.tokens.push(await database.createToken());
    await database.fillTokens(tokensIn(name) - usableTokens);
    databases[name] = database;
  }
  const redis = subjects.some(({ store }) => store === 'redis') ? await startRedis() : undefined;
  return { ...server, databases, redisUrl: redis?.url, meter: await openMeter(server) };
}

/** Starts each contestant once, for the first load that needs it, because a panel runs for weeks. It keeps its promises. */
function startedOnce(setting) {
  const started = new Map();
  return async (subject) => {
    const key = `${subject.name} ${subject.copy ?? ''}`;
    if (!started.has(key)) {
      started.set(key, await startServer(setting, subject));
      if (subject.promises) await checkPromises(started.get(key), setting.databases[subject.database]);
    }
    // The same contestant may have another number of tokens in another load.
    return Object.assign(started.get(key), subject);
  };
}

runBenchmark(async (args) => {
  const given = readArguments('bench', args, readers);
  requireProgram('wrk', 'wrk');
  const isShort = given.quick || given.against !== undefined;
  const asked = { ...(isShort ? quick : full), ...given };
  const plan = await planned(asked);
  const setting = {
    ...asked,
    ...(await setUp(plan, asked.engine)),
    warmSeconds: Math.min(16, 15 * asked.seconds),
  };
  setting.serverOf = startedOnce(setting);
  const measured = [];
  for (const load of plan) {
    say(`${load.name}: ${load.subjects.map(({ label }) => label).join('; ')} …`);
    measured.push({ name: load.name, ...(await attempt(() => measureLoad(setting, load))) });
  }
  const head = `${setting.version}, medians of ${asked.rounds} rounds of ${asked.seconds} s.`;
  const aims = isShort ? [] : judge(measured, asked.engine);
  const tables = [...(isShort ? [] : [figuresTable(measured)]), ratiosTable(measured)];
  console.log(
    asked.json
      ? JSON.stringify({ head, loads: measured, aims }, null, 2)
      : formatReport({ head, tables, aims }),
  );
  return measured.filter(({ failure }) => failure).length;
});
