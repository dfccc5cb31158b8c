const { once } = require('node:events');
const { join } = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const v8 = require('node:v8');
const { runInNewContext } = require('node:vm');
const Koa = require('koa');
const { ROOT } = require('../contestants');
const { readArguments, someOf, wholeNumber } = require('../frame/arguments');
const { openHandle, PanelDatabase, startDatabase } = require('../frame/database');
const { ChildProcess, runBenchmark, say } = require('../frame/processes');
const { formatReport, judged } = require('../frame/report');
const { median, quantile } = require('../frame/statistics');
const { tables } = require('../frame/tables');
const { createMetrics, createPanelApi } = require(ROOT);

const readers = {
  rows: wholeNumber,
  lists: someOf(Object.keys(tables)),
  rounds: wholeNumber,
  seconds: wholeNumber,
};

/** The columns that an index makes quick to count. */
const INDEXES = {
  accounts: ['status'],
  websites: ['status'],
  databases: ['status'],
  email: ['status'],
  domains: ['status'],
  jobs: ['status', 'finished_at'],
  backups: ['status', 'finished_at'],
  ssl: ['status', 'expires_at'],
  cron: ['last_status'],
};
/** Jobs and backups of a panel in use finish until now. */
const values = { finished_at: 'timestampadd(second, -(seq * 61 % 63072000), utc_timestamp())' };
const MOST_SCRAPES = 1000;
const silent = { info() {}, warn() {}, error() {} };
const probes = { me: { path: 'me.php', everyMs: 20 } };

v8.setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

runBenchmark(async (args) => {
  const given = readArguments('bench:metrics', args, readers);
  const { rows = 1_000_000, lists = ['jobs', 'backups', 'email'], rounds = 5, seconds = 20 } = given;
  const server = await startDatabase();
  const seeded = lists.map((name) => ({ ...tables[name], rows, values, indexes: INDEXES[name] }));
  const panel = await PanelDatabase.create(server, 'panel', ROOT, seeded);
  const [token, other] = [await panel.createToken(), await panel.createToken()];
  const db = openHandle(panel.url);
  const absent = Object.keys(tables).filter((name) => !lists.includes(name));
  const sources = Object.fromEntries(absent.map((name) => [name, false]));
  const api = createPanelApi({
    db,
    logger: silent,
    sources,
    rateLimit: { requests: 1e9 },
    deadlineMs: 60_000,
  });
  let metrics = createMetrics({ api, maxAgeSeconds: 0 });
  const app = new Koa().use(api.routes()).use((ctx, next) => metrics.routes()(ctx, next));
  const listening = app.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const url = `http://127.0.0.1:${listening.address().port}`;
  const scrape = async () => {
    const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    if (response.status !== 200) throw new Error(`A scrape answered ${response.status}.`);
    return response.text();
  };

  say('scrapes …');
  await scrape();
  const samples = [];
  for (let round = 0; round < rounds; round++) {
    metrics = createMetrics({ api, maxAgeSeconds: 0 });
    const statements = [];
    const note = ({ sql, bindings }) => statements.push({ sql, bindings });
    db.on('query', note);
    const used = process.cpuUsage();
    const whole = await timeOf(scrape);
    const { user, system } = process.cpuUsage(used);
    db.off('query', note);
    const reads = statements.filter(({ sql }) => /^\s*select/i.test(sql));
    let bare = 0;
    for (const { sql, bindings } of reads) bare += await timeOf(() => db.raw(sql, bindings));
    samples.push({ whole, bare, cpu: (user + system) / 1000, reads: reads.length });
  }
  const of = (figure) => median(samples.map((sample) => sample[figure]));

  say('memory …');
  metrics = createMetrics({ api, maxAgeSeconds: 0 });
  const heap = async (count) => {
    for (let index = 0; index < count; index++) await scrape();
    collectGarbage();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  await heap(100);
  const [before, after] = [await heap(100), await heap(MOST_SCRAPES)];

  say('me.php beside scrapes …');
  const client = new ChildProcess(join(__dirname, '../frame/client.js'));
  metrics = createMetrics({ api });
  const p99 = async (isScraped) => {
    await client.call('startProbing', { url, token: other }, probes);
    for (let second = 0; second < seconds; second++) await Promise.all([sleep(1000), isScraped && scrape()]);
    const { me } = await client.call('stopProbing');
    return quantile(
      me.map(({ milliseconds }) => milliseconds),
      0.99,
    );
  };
  await p99(true);
  const [alone, beside] = [await p99(false), await p99(true)];

  const table = [
    ['', 'ms'],
    [`A scrape of ${lists.join(', ')}, ${rows.toLocaleString('en')} rows each`, of('whole')],
    [`Its ${of('reads')} statements, one after another`, of('bare')],
    ["CPU of the module's process in a scrape", of('cpu')],
    ['me.php, p99, alone', alone],
    ['me.php, p99, beside one scrape a second', beside],
  ];
  const aims = [
    judged('A scrape / its statements', of('whole') / of('bare'), 'at most', 1.2),
    judged(`MiB more after ${MOST_SCRAPES} scrapes`, after - before, 'at most', 1),
    judged('me.php beside scrapes / alone', beside / alone, 'at most', 1.2),
  ];
  console.log(
    formatReport({ head: `${server.version}, medians of ${rounds} rounds.`, tables: [table], aims }),
  );
  return 0;
});

async function timeOf(task) {
  const start = performance.now();
  await task();
  return performance.now() - start;
}
