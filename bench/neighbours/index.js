const { join } = require('node:path');
const { parseArgs } = require('node:util');
const { wholeNumber } = require('../arguments');
const { fillTables, startDatabase } = require('../database');
const { text } = require('../columns');
const { quantile } = require('../statistics');
const { ChildProcess, runBenchmark, say } = require('../processes');
const { formatTable } = require('../report');
const { tables } = require('../tables');
const { worst } = require('./worst');

const options = {
  rows: { type: 'string', default: '1000000' },
  kinds: { type: 'string', default: Object.keys(worst).join() },
  seconds: { type: 'string', default: '10' },
  module: { type: 'string', default: join(__dirname, '..', '..') },
  json: { type: 'boolean' },
};

/**
 * The requests that are measured while another token causes the worst load: how often they are sent, and the maximum
 * p99 in milliseconds.
 */
const probes = {
  me: { path: '/api/v1/me.php', everyMs: 200, aimMs: 250 },
  'own page': { path: '/own-page', everyMs: 50, aimMs: 100 },
  'page of a list': { path: '/api/v1/domains.php?limit=10', everyMs: 500 },
  'long list': { path: '/api/v1/domains.php', everyMs: 2000 },
};

/** A long command is masked word by word. */
const cronColumns = {
  ...tables.cron.columns,
  command: text(4000, "repeat('/usr/bin/php -d memory_limit=512M /home/c/www/cron.php --id=7 | ', 50)"),
};

runBenchmark(async (args) => {
  const { values } = parseArgs({ args, options });
  const rows = wholeNumber('rows', values.rows);
  const milliseconds = 1000 * wholeNumber('seconds', values.seconds);
  const database = await startDatabase();
  const env = { DATABASE_URL: database.url, MODULE: values.module };
  const clients = [0, 1].map(() => new ChildProcess(join(__dirname, 'client.js')));
  try {
    const lists = [
      { ...tables.domains, name: 'domains' },
      { ...tables.jobs, name: 'jobs', rows },
      { ...tables.cron, name: 'cron', rows: Math.ceil(rows / 50), columns: cronColumns },
    ];
    await fillTables(database.url, lists, say);
    const loads = [];
    for (const kind of values.kinds.split(',')) {
      say(`${kind} …`);
      loads.push(await measure(kind, milliseconds, env, clients));
    }
    console.log(values.json ? JSON.stringify(loads, null, 2) : tableOf(loads));
  } finally {
    await Promise.all(clients.map((client) => client.stop()));
    await database.stop();
  }
});

/** Returns what was seen beside one kind of load, from a new server. */
async function measure(kind, milliseconds, env, [client, other]) {
  const server = new ChildProcess(join(__dirname, 'server.js'), { env });
  try {
    const { url, tokens } = await server.call('start');
    await client.call('probe', { url, token: tokens[0] }, probes, 1000);
    const attack = other.call('doWorst', { url, token: tokens[1] }, worst[kind], milliseconds);
    const seen = await client.call('probe', { url, token: tokens[0] }, probes, milliseconds);
    const outcomes = await attack;
    return {
      beside: kind,
      outcomes,
      probes: Object.entries(seen).map(([name, answers]) => summary(name, answers, probes[name].aimMs)),
    };
  } finally {
    await server.stop();
  }
}

/** What one kind of request got: times in milliseconds, and whether the aim, if it has one, was reached. */
function summary(name, answers, aimMs) {
  const times = answers.map((answer) => answer.milliseconds);
  const refused = answers.filter(({ status }) => status !== 200).length;
  const p99 = quantile(times, 0.99);
  return {
    name,
    p50: quantile(times, 0.5),
    p99,
    most: Math.max(...times),
    asked: times.length,
    refused,
    ...(aimMs && { reached: p99 < aimMs && refused === 0 }),
  };
}

function tableOf(loads) {
  const lines = loads.flatMap(({ beside, outcomes, probes }) => {
    const counts = Object.entries(outcomes).map(([outcome, count]) => `${count} × ${outcome}`);
    return [
      [`beside ${beside} (${counts.join(', ') || 'none'})`, '', '', '', '', '', ''],
      ...probes.map(lineOf),
    ];
  });
  return formatTable([['', 'p50 ms', 'p99 ms', 'max ms', 'asked', 'refused', ''], ...lines]).join('\n');
}

function lineOf({ name, p50, p99, most, asked, refused, reached }) {
  const figures = [p50, p99, most].map((time) => time.toFixed(time < 10 ? 1 : 0));
  const verdict = { true: 'reached', false: 'missed' }[reached] ?? '';
  return [`  ${name}`, ...figures, String(asked), String(refused), verdict];
}
