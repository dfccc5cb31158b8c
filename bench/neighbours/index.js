const { join } = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { contestants, ROOT } = require('../contestants');
const { flag, readArguments, someOf, text, wholeNumber } = require('../frame/arguments');
const { PanelDatabase, startDatabase } = require('../frame/database');
const { ChildProcess, runBenchmark, say } = require('../frame/processes');
const { formatReport, judged } = require('../frame/report');
const { withServers } = require('../frame/servers');
const { quantile } = require('../frame/statistics');
const { tables } = require('../frame/tables');
const { worst } = require('./worst');

const readers = {
  rows: wholeNumber,
  kinds: someOf(Object.keys(worst)),
  seconds: wholeNumber,
  module: text('FOLDER'),
  json: flag,
};

/**
 * The requests that are measured while another token causes the worst load: how often they are sent, and what the p99
 * in milliseconds must be below.
 */
const probes = {
  me: { path: 'me.php', everyMs: 200, aimMs: 250 },
  'own page': { path: '/own-page', everyMs: 50, aimMs: 100 },
  'page of a list': { path: 'domains.php?limit=10', everyMs: 500 },
  'long list': { path: 'domains.php', everyMs: 2000, isLong: true },
  scrape: {
    path: '/metrics',
    everyMs: 5000,
    lines: ['domains', 'jobs', 'cron', 'server-health'].map(upLine),
  },
};

/** The other token arrives first, as it may with each request. */
const HEAD_START_MS = 1000;

/** What a scrape shows of a list that was read. */
function upLine(list) {
  return `panel_source_up{list="${list}"} 1`;
}

/** No index serves a filter by type, but one the readings of the metrics. A long command is masked word by word. */
const command = "repeat('/usr/bin/php -d memory_limit=512M /home/c/www/cron.php --id=7 | ', 50)";
const finished_at = 'timestampadd(second, -(seq * 61 % 63072000), utc_timestamp())';
const listsOf = (rows) => [
  tables.domains,
  { ...tables.jobs, rows, indexes: ['status, finished_at, started_at, queued_at'], values: { finished_at } },
  { ...tables.cron, rows: Math.ceil(rows / 50), values: { ...tables.cron.values, command } },
];

/** The systemctl of this folder is as dear as the real one, which not every machine has. */
const env = { PATH: `${join(__dirname, 'programs')}:${process.env.PATH}` };

runBenchmark(async (args) => {
  const given = readArguments('bench:neighbours', args, readers);
  const { rows = 1_000_000, kinds = Object.keys(worst), seconds = 10, module: build = ROOT, json } = given;
  const server = await startDatabase();
  const panel = await PanelDatabase.create(server, 'panel', build, listsOf(rows));
  const [client, other] = [0, 1].map(() => new ChildProcess(join(__dirname, '../frame/client.js')));
  const setting = { ...server, databases: { panel }, client, other, milliseconds: 1000 * seconds };
  const loads = [];
  for (const kind of kinds) {
    say(`${kind} …`);
    const subject = { ...contestants.database, build, env };
    loads.push(await withServers(setting, [subject], ({ url }) => measure(setting, url, kind)));
  }
  const table = [['', 'p50 ms', 'p99 ms', 'max ms', 'asked', 'refused'], ...loads.flatMap(rowsOf)];
  const head = `${server.version}, ${seconds} s each.`;
  const aims = loads.flatMap(aimsOf);
  console.log(json ? JSON.stringify(loads, null, 2) : formatReport({ head, tables: [table], aims }));
  return 0;
});

/** Returns what was seen beside one kind of load, from a new server. */
async function measure({ databases: { panel }, client, other, milliseconds }, url, kind) {
  const neighbour = { url, token: await panel.createToken() };
  const greedy = {
    url,
    token: await panel.createToken({ rateLimit: 120, scopes: worst[kind].scopes ?? ['*'] }),
  };
  const { scrape, ...others } = probes;
  const probed = async (duration, all = { ...others, scrape }) => {
    await client.call('startProbing', neighbour, all);
    await sleep(duration);
    return client.call('stopProbing');
  };
  // What a scrape has read is shown for a while.
  await probed(1000, others);
  const attack = other.call('doWorst', greedy, worst[kind], milliseconds);
  await sleep(HEAD_START_MS);
  const seen = await probed(milliseconds);
  return {
    beside: kind,
    outcomes: await attack,
    probes: Object.entries(seen).map(([name, answers]) => summary(name, answers, probes[name].aimMs)),
  };
}

/** What one kind of request got: times in milliseconds, and whether the aim, if it has one, was reached. */
function summary(name, answers, aimMs) {
  const times = answers.map(({ milliseconds }) => milliseconds);
  const [p50, p99, most] = [0.5, 0.99, 1].map((share) => quantile(times, share));
  const refused = answers.filter(({ status }) => status !== 200).length;
  const figures = { name, p50, p99, most, asked: times.length, refused };
  return aimMs ? { ...figures, reached: p99 < aimMs && refused === 0 } : figures;
}

function rowsOf({ beside, outcomes, probes: seen }) {
  const counts = Object.entries(outcomes).map(([outcome, count]) => `${count} × ${outcome}`);
  const rows = seen.map(({ name, p50, p99, most, asked, refused }) => {
    return [`  ${name}`, p50, p99, most, String(asked), String(refused)];
  });
  return [[`beside ${beside} (${counts.join(', ') || 'none'})`], ...rows];
}

const aimsOf = ({ beside, probes: seen }) =>
  seen
    .filter(({ reached }) => reached !== undefined)
    .map(({ name, p99, reached }) => ({
      ...judged(`${name} beside ${beside}: p99 in ms, none refused`, p99, 'below', probes[name].aimMs),
      reached,
    }));
