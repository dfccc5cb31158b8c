const { join } = require('node:path');
const { contestants, naive, ROOT } = require('../contestants');
const { flag, readArguments, someOf, wholeNumber } = require('../frame/arguments');
const { PanelDatabase, startDatabase } = require('../frame/database');
const { ChildProcess, runBenchmark, say } = require('../frame/processes');
const { formatReport } = require('../frame/report');
const { attempt } = require('../frame/statistics');
const { tables } = require('../frame/tables');
const measures = require('./measures');

const readers = { rows: wholeNumber, lists: someOf(Object.keys(tables)), rounds: wholeNumber, json: flag };

/** What is measured: a title, the columns of its table, and how; the first two of each list, the others of the largest. */
const ofEach = [
  ['Whole lists, rows per second', ['naive', 'ours', 'ratio'], measures.measureThroughput],
  ['Memory above the warm, idle process in one such read, MiB', ['naive', 'ours'], measures.measureMemory],
];
const ofLargest = [
  ['me.php while another client reads the list, ms', ['p50', 'p99', 'max'], measures.measureOthers],
  ['Pages of 100 rows, or of fewer, ms', ['median'], measures.measurePages],
  ['count=status, ms', ['median'], measures.measureCounts],
];

/** A naive handler holds all rows and the whole text at once; with Node's default heap it would fail at a million rows. */
const subjects = {
  naive: { ...naive, flags: ['--expose-gc', '--max-old-space-size=8192'] },
  ours: { ...contestants.database, label: 'ours', flags: ['--expose-gc'] },
};

const sizeOf = ({ name, rows }) => `${rows.toLocaleString('en')} rows of ${name}`;

runBenchmark(async (args) => {
  const given = readArguments('bench:lists', args, readers);
  const { lists: names = Object.keys(tables), rows: most = Infinity, rounds = 5, json } = given;
  const ofSize = ({ rows, ...list }) => ({ ...list, rows: Math.min(rows, most) });
  const lists = names.map((name) => ofSize(tables[name]));
  const warmth = ofSize(tables.domains);
  const seeded = names.includes(warmth.name) ? lists : [warmth, ...lists];

  const server = await startDatabase();
  const panel = await PanelDatabase.create(server, 'panel', ROOT, seeded);
  const [client, otherClient] = [0, 1].map(() => new ChildProcess(join(__dirname, '../frame/client.js')));
  const token = await panel.createToken();
  const setting = { ...server, databases: { panel }, token, client, otherClient, rounds, subjects };

  const largest = lists.reduce((a, b) => (b.rows > a.rows ? b : a));
  const measurements = [
    ...ofEach.map((each) => [lists, ...each]),
    ...ofLargest.map(([title, ...each]) => [[largest], `${sizeOf(largest)}: ${title}`, ...each]),
  ];
  const report = { head: `${server.version}, medians of ${rounds} rounds.`, tables: [], aims: [] };
  let failures = 0;
  for (const [measured, title, heads, measure] of measurements) {
    const table = [[title], ['', ...heads]];
    for (const list of measured) {
      say(`${list.name}: ${title} …`);
      const { failure, rows, aims = [] } = await attempt(() => measure(setting, list));
      if (failure) failures += 1;
      table.push(...(rows ?? [[`${list.name}: not measured. ${failure}`]]));
      report.aims.push(...aims);
    }
    report.tables.push(table);
  }
  console.log(json ? JSON.stringify({ ...report, failures }, null, 2) : formatReport(report));
  return failures;
});
