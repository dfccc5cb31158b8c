const { deepStrictEqual } = require('node:assert');
const { readFileSync, writeFileSync } = require('node:fs');
const { setTimeout: sleep } = require('node:timers/promises');
const { judged } = require('../frame/report');
const { interleaved, median, quantile } = require('../frame/statistics');
const { columnsOf } = require('../frame/tables');
const { readWhole, withWarm } = require('./servers');

const everyMs = 20;
const quietMs = 3000;

/** Rows per second of the whole list. */
async function measureThroughput(setting, list) {
  return withWarm(['naive', 'ours'], setting, async (naive, ours) => {
    await checkEquality(setting, list, naive, ours);
    const seconds = { naive: [], ours: [] };
    await interleaved(setting.rounds, [naive, ours], async (server) => {
      seconds[server.label].push((await readWhole(setting, server, list)).seconds);
    });
    const [a, b] = [seconds.naive, seconds.ours].map((each) => list.rows / median(each));
    return {
      rows: [[list.name, a, b, b / a]],
      aims: [judged(`${list.name}: rows per second, ours / naive`, b / a, 'at least', 1)],
    };
  });
}

/** Throws unless both servers return all rows of the list, with equal values in the first, the middle and the last one. */
async function checkEquality(setting, list, naive, ours) {
  const wanted = [...new Set([0, Math.floor(list.rows / 2), list.rows - 1])];
  const [stored, shown] = [
    await readWhole(setting, naive, list, wanted),
    await readWhole(setting, ours, list, wanted),
  ];
  deepStrictEqual([stored.rows, shown.rows], [list.rows, list.rows]);
  const columns = columnsOf(list);
  const fieldsOf = (row, show) =>
    Object.fromEntries(columns.map((column) => [column.name, show(column, row)]));
  deepStrictEqual(
    shown.sample.map((row) => fieldsOf(row, ({ name }) => row[name])),
    stored.sample.map((row) => fieldsOf(row, ({ name, shown: show }) => show(row[name]))),
  );
}

/** The increase of resident memory during one read of the list, in a process that is warm and has collected its garbage. */
async function measureMemory(setting, list) {
  const megabytes = {};
  for (const name of ['naive', 'ours'])
    megabytes[name] = await withWarm([name], setting, async (server) => {
      const { child } = server;
      await child.call('collectGarbage');
      await sleep(500); // Memory is returned to the system a moment later.
      const idle = statusBytes(child.pid, 'VmRSS');
      // Resets the kernel's record of the peak, so that none is missed between two measurements.
      writeFileSync(`/proc/${child.pid}/clear_refs`, '5');
      await readWhole(setting, server, list);
      return (statusBytes(child.pid, 'VmHWM') - idle) / 2 ** 20;
    });
  const { naive, ours } = megabytes;
  return {
    rows: [[list.name, naive, ours]],
    aims: [judged(`${list.name}: memory of ours, MiB`, ours, 'below', 64)],
  };
}

function statusBytes(pid, name) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)[1]) * 1024;
}

/** How long a second client waits for `me.php`, at rest and while the first one reads the whole list. */
async function measureOthers(setting, list) {
  return withWarm(['naive', 'ours'], setting, async (...servers) => {
    const seen = new Map();
    for (const server of servers) {
      const quiet = await probed(setting, server, () => sleep(quietMs));
      seen.set(server, { quiet, busy: [], delays: [] });
    }
    await interleaved(setting.rounds, servers, async (server) => {
      const { busy, delays } = seen.get(server);
      await server.child.call('watch');
      busy.push(...(await probed(setting, server, () => readWhole(setting, server, list))));
      delays.push((await server.child.call('watched')).loopDelay);
    });
    const rows = servers.flatMap((server) => {
      const { quiet, busy, delays } = seen.get(server);
      const each = (figure) => delays.map((delay) => delay[figure]);
      return [
        [server.label, ...waits(busy)],
        [`${server.label}, at rest`, ...waits(quiet)],
        [`event loop of ${server.label}`, median(each('p50')), median(each('p99')), Math.max(...each('max'))],
      ];
    });
    const p99 = quantile(seen.get(servers[1]).busy, 0.99);
    return { rows, aims: [judged(`${list.name}: p99 of me.php of ours meanwhile, ms`, p99, 'below', 20)] };
  });
}

const waits = (times) => [median(times), quantile(times, 0.99), Math.max(...times)];

/** The milliseconds of each `me.php` while the task runs. */
async function probed({ otherClient }, { url, token }, task) {
  await otherClient.call('startProbing', { url, token }, { me: { path: 'me.php', everyMs } });
  let me;
  try {
    await task();
  } finally {
    ({ me } = await otherClient.call('stopProbing'));
  }
  const refused = me.find(({ status }) => status !== 200);
  if (refused) throw new Error(`A probe was answered with ${refused.status}.`);
  return me.map(({ milliseconds }) => milliseconds);
}

module.exports = { measureMemory, measureOthers, measureThroughput };
