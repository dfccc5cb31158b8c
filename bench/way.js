const { once } = require('node:events');
const { dirname, join, relative } = require('node:path');
const { Session } = require('node:inspector/promises');
const { setTimeout: sleep } = require('node:timers/promises');
const { pathToFileURL } = require('node:url');
const Koa = require('koa');
const { ROOT } = require('./contestants');
const { flag, readArguments, someOf, text } = require('./frame/arguments');
const { openHandle, PanelDatabase, startDatabase } = require('./frame/database');
const { engines } = require('./frame/engines');
const { runBenchmark } = require('./frame/processes');
const { formatReport, judged } = require('./frame/report');
const { tables } = require('./frame/tables');

const stores = ['database', 'memory'];
const readers = {
  engines: someOf(Object.keys(engines)),
  stores: someOf(stores),
  module: text('FOLDER'),
  functions: flag,
  json: flag,
};

const domains = {
  ...tables.domains,
  rows: 5,
  columns:
    'id:key domain=customer-#.example.com type=primary,addon ssl_status=active,none status=active,suspended',
};
const PATHS = ['domains.php', 'me.php'];
const WARMING = 100;
/** A caller alone comes after a pause in which another second has begun, so that its last use is stored. */
const PAUSE_MS = 1100;
/** What goes on behind an answer, such as storing the last use, is over by then. */
const AFTER_MS = 200;
/** The work of a timer may fall into one of these times; the request with the fewest calls is without it. */
const TIMES = 5;
const silent = { info() {}, warn() {}, error() {} };

runBenchmark(async (args) => {
  const given = readArguments('bench:way', args, readers);
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  // Before the module is loaded, because V8 does not count what it has inlined before.
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const ways = [];
  for (const engine of given.engines ?? Object.keys(engines)) {
    const build = given.module ?? ROOT;
    const server = await startDatabase(engine);
    const panel = await PanelDatabase.create(server, 'panel', build, [domains]);
    const token = await panel.createToken();
    for (const store of given.stores ?? stores) {
      const found = await waysOf(session, build, { panel, token, store });
      ways.push(...found.map((way) => ({ engine, store, ...way })));
    }
  }
  const table = [['', 'files', 'functions', 'calls'], ...ways.flatMap((way) => rowsOf(way, given))];
  const aims = ways.filter(({ path }) => path === 'domains.php').flatMap(aimsOf);
  const head = `Node ${process.version}: what one warm request enters of the module's code.`;
  console.log(given.json ? JSON.stringify(ways, null, 2) : formatReport({ head, tables: [table], aims }));
  return 0;
});

/** The functions that one request enters, for each path, in a new mount of the module. */
async function waysOf(session, build, { panel, token, store }) {
  const { createPanelApi } = require(build);
  const db = openHandle(panel.url);
  const api = createPanelApi({ db, logger: silent, rateLimit: { requests: 1e9, store } });
  const listening = new Koa().use(api.routes()).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const url = `http://127.0.0.1:${listening.address().port}/api/v1`;
  const ask = async (path) => {
    const response = await fetch(`${url}/${path}`, { headers: { authorization: `Bearer ${token}` } });
    if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}.`);
    await response.text();
  };
  const found = [];
  for (const path of PATHS) {
    for (let asked = 0; asked < WARMING; asked += 1) await ask(path);
    const seen = [];
    for (let time = 0; time < TIMES; time += 1) seen.push(await entered(session, build, () => ask(path)));
    found.push({ path, functions: seen.toSorted((a, b) => callsOf(a) - callsOf(b))[0] });
  }
  listening.close();
  listening.closeAllConnections();
  await db.destroy();
  return found;
}

const callsOf = (functions) => functions.reduce((sum, { calls }) => sum + calls, 0);

/** The functions of this build that a task enters, and how often. */
async function entered(session, build, task) {
  const dist = join(build, 'dist');
  await sleep(PAUSE_MS);
  // Counts begin anew each time that they are taken.
  await session.post('Profiler.takePreciseCoverage');
  await task();
  await sleep(AFTER_MS);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const prefix = `${pathToFileURL(dist)}/`;
  return result
    .filter(({ url }) => url.startsWith(prefix))
    .flatMap(({ url, functions }) =>
      functions.map(({ functionName, ranges: [{ startOffset, count }] }) => ({
        file: relative(dist, new URL(url).pathname),
        name: functionName || `at ${startOffset}`,
        calls: count,
      })),
    )
    .filter(({ calls }) => calls > 0);
}

const filesOf = (functions) => new Set(functions.map(({ file }) => file)).size;

const aimsOf = ({ engine, store, path, functions }) => [
  judged(`${engine}, ${store}: files of ${path}`, filesOf(functions), 'at most', 50),
  judged(`${engine}, ${store}: functions of ${path}`, functions.length, 'at most', 220),
];

/** The rows of one way: its sum, those of its folders and, if asked for, its functions. */
function rowsOf({ engine, store, path, functions }, given) {
  const sum = (title, all) => {
    return [title, ...[filesOf(all), all.length, callsOf(all)].map(String)];
  };
  const folders = new Set(functions.map(({ file }) => dirname(file)));
  return [
    sum(`${engine}, ${store}: ${path}`, functions),
    ...[...folders].toSorted().map((folder) =>
      sum(
        `  ${folder}`,
        functions.filter(({ file }) => dirname(file) === folder),
      ),
    ),
    ...(given.functions
      ? functions.map(({ file, name, calls }) => [`    ${file} ${name}`, '', '', `${calls}`])
      : []),
  ];
}
