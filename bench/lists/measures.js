const { deepStrictEqual } = require('node:assert');
const { readFileSync, writeFileSync } = require('node:fs');
const { setTimeout: sleep } = require('node:timers/promises');
const { judged } = require('../frame/report');
const { withServers } = require('../frame/servers');
const { inTurn, median, quantile } = require('../frame/statistics');
const { columnsOf } = require('../frame/tables');

/** Each measurement returns the rows of its table, and its aims. */

const warming = { requests: 50, reads: 3 };
const stride = 1000;
const few = 20;
const page = 100;
const repeated = { rounds: 200, cold: 20 };

/** Runs the task with new servers of these names, which have answered a small list a few times. */
async function withWarm(names, { client, subjects, token, ...setting }, task) {
  const chosen = names.map((name) => subjects[name]);
  return withServers(setting, chosen, async (...servers) => {
    const warm = servers.map(({ url, children: [child], label }) => ({
      target: { url, token },
      child,
      label,
    }));
    for (const { target } of warm) {
      for (let asked = 0; asked < warming.requests; asked++) await client.call('get', target, 'me.php');
      for (let read = 0; read < warming.reads; read++)
        await client.call('readList', target, 'domains.php', []);
    }
    return task(...warm);
  });
}

/** One read of the whole list from a server; see readList. */
async function readWhole({ client }, { label, target }, { name }, wanted = []) {
  try {
    return await client.call('readList', target, `${name}.php`, wanted);
  } catch (error) {
    throw new Error(`${label}: ${error.message}`, { cause: error });
  }
}

/** Rows per second of the whole list. */
async function measureThroughput(setting, list) {
  return withWarm(['naive', 'ours'], setting, async (...servers) => {
    await checkEquality(setting, list, ...servers);
    const reads = await inTurn(setting, servers, (server) => readWhole(setting, server, list));
    const [naive, ours] = reads.map((each) => list.rows / median(each.map(({ seconds }) => seconds)));
    const ratio = ours / naive;
    return {
      rows: [[list.name, naive, ours, ratio]],
      aims: [judged(`${list.name}: rows per second, ours / naive`, ratio, 'at least', 1)],
    };
  });
}

/** Throws unless both servers return all rows of the list, with equal values in the first, the middle and the last one. */
async function checkEquality(setting, list, naive, ours) {
  const wanted = [...new Set([0, Math.floor(list.rows / 2), list.rows - 1])];
  const stored = await readWhole(setting, naive, list, wanted);
  const sent = await readWhole(setting, ours, list, wanted);
  deepStrictEqual([stored.rows, sent.rows], [list.rows, list.rows]);
  for (const { name, shown } of columnsOf(list))
    for (const [index, row] of stored.sample.entries())
      deepStrictEqual([name, sent.sample[index][name]], [name, shown(row[name])]);
}

/** The increase of resident memory during one read of the list, in a process that is warm and has collected its garbage. */
async function measureMemory(setting, list) {
  const increase = (name) =>
    withWarm([name], setting, async (server) => {
      const { child } = server;
      const status = (figure) =>
        Number(
          new RegExp(`^${figure}:\\s+(\\d+) kB$`, 'm').exec(
            readFileSync(`/proc/${child.pid}/status`, 'utf8'),
          )[1],
        );
      await child.call('collectGarbage');
      await sleep(500); // Memory is returned to the system a moment later.
      const idle = status('VmRSS');
      // Resets the kernel's record of the peak, so that none is missed between two measurements.
      writeFileSync(`/proc/${child.pid}/clear_refs`, '5');
      await readWhole(setting, server, list);
      return (status('VmHWM') - idle) / 1024;
    });
  const [naive, ours] = [await increase('naive'), await increase('ours')];
  return {
    rows: [[list.name, naive, ours]],
    aims: [judged(`${list.name}: memory of ours, MiB`, ours, 'below', 64)],
  };
}

/** How long a second client waits for `me.php`, at rest and while the first one reads the whole list. */
async function measureOthers(setting, list) {
  const probed = async ({ target }, task) => {
    await setting.otherClient.call('startProbing', target, { me: { path: 'me.php', everyMs: 20 } });
    const [done, { me }] = [
      await task().catch((error) => error),
      await setting.otherClient.call('stopProbing'),
    ];
    if (done instanceof Error) throw done;
    deepStrictEqual([...new Set(me.map(({ status }) => status))], [200]);
    return me.map(({ milliseconds }) => milliseconds);
  };
  const row = (label, times) => [label, median(times), quantile(times, 0.99), Math.max(...times)];

  return withWarm(['naive', 'ours'], setting, async (...servers) => {
    const quiet = await inTurn({ rounds: 1 }, servers, (server) => probed(server, () => sleep(3000)));
    const seen = await inTurn(setting, servers, async (server) => {
      await server.child.call('watch');
      const times = await probed(server, () => readWhole(setting, server, list));
      return { times, ...(await server.child.call('watched')) };
    });
    const busy = seen.map((each) => each.flatMap(({ times }) => times));
    const rows = servers.flatMap(({ label }, index) => {
      const delays = (figure) => seen[index].map(({ loopDelay }) => loopDelay[figure]);
      return [
        row(label, busy[index]),
        row(`${label}, at rest`, quiet[index].flat()),
        [`event loop of ${label}`, median(delays('p50')), median(delays('p99')), Math.max(...delays('max'))],
      ];
    });
    const p99 = quantile(busy[1], 0.99);
    return { rows, aims: [judged(`${list.name}: p99 of me.php of ours meanwhile, ms`, p99, 'below', 20)] };
  });
}

/** A function that asks for a path, and returns the data of its answer and the milliseconds. */
const asker =
  ({ client }, { target }) =>
  async (path) => {
    const { status, text, milliseconds } = await client.call('get', target, path);
    if (status !== 200) throw new Error(`${path} was answered with ${status}: ${text}`);
    return { data: JSON.parse(text).data, milliseconds };
  };

function pathOf({ name }, limit, filter, cursor) {
  const query = new URLSearchParams(filter);
  query.set('limit', limit);
  if (cursor) query.set('cursor', cursor);
  return `${name}.php?${query}`;
}

/** The first, the middle and the last page of a list in the order of the filter: pairs of a name and a path. */
async function pagesOf(ask, list, filter) {
  const walk = async (limit, from) => {
    const cursors = [];
    let seen = 0;
    for (let cursor = from; cursors.length === 0 || cursor; ) {
      const { data } = await ask(pathOf(list, limit, filter, cursor));
      cursors.push(cursor);
      seen += data.items.length;
      cursor = data.next_cursor;
    }
    return { cursors, seen };
  };
  const { cursors, seen } = await walk(stride);
  if (seen !== list.rows) throw new Error(`${list.name}: its pages have ${seen} rows of ${list.rows}.`);
  // The last stride again in small steps, to reach the last page exactly.
  const last = (await walk(page, cursors.at(-1))).cursors.at(-1);
  const pages = { first: undefined, middle: cursors[Math.floor(cursors.length / 2)], last };
  return Object.entries(pages).map(([name, cursor]) => [
    [name, filter ?? 'by key'].join(', '),
    pathOf(list, page, filter, cursor),
  ]);
}

/**
 * The first, the middle and the last page of 100 rows in each order of a list, the first one of a filtered list, and its
 * 20 newest rows beside the first 20 by key.
 */
async function measurePages(setting, list) {
  return withWarm(['ours'], setting, async (server) => {
    const ask = asker(setting, server);
    const orders = ['order=desc', ...list.orders.map((name) => `order=-${name}`)];
    const newest = `${list.filter}&order=desc`;
    const byKey = await pagesOf(ask, list);
    const ordered = [];
    for (const order of orders) ordered.push(...(await pagesOf(ask, list, order)));
    const pages = [
      ...byKey,
      ...ordered,
      [`first of ${few}, by key`, pathOf(list, few)],
      [`first of ${few}, ${newest}`, pathOf(list, few, newest)],
      [`first, ${list.filter}`, pathOf(list, page, list.filter)],
    ];
    const samples = await inTurn(repeated, pages, async ([, path]) => {
      const { data, milliseconds } = await ask(path);
      if (data.items.length === 0) throw new Error(`${path} has no rows.`);
      return milliseconds;
    });
    const times = samples.map(median);
    const whole = times.slice(0, byKey.length);
    const [fewByKey, fewNewest] = times.slice(byKey.length + ordered.length);
    const largest = Math.max(...times.slice(byKey.length, byKey.length + ordered.length)) / whole[0];
    const about = (text) => `${list.name}: ${text}`;
    return {
      rows: pages.map(([name], index) => [name, times[index]]),
      aims: [
        judged(
          about('largest / smallest page by key'),
          Math.max(...whole) / Math.min(...whole),
          'at most',
          2,
        ),
        judged(about('largest page in another order / first by key'), largest, 'at most', 1.5),
        judged(about(`first of ${few}, ${newest} / by key`), fewNewest / fewByKey, 'at most', 1.5),
      ],
    };
  });
}

/** `count=status`, and the bare GROUP BY that a panel writes by hand. */
async function measureCounts(setting, list) {
  return withWarm(['naive', 'ours'], setting, async (...servers) => {
    // The first answers are those of a cold cache.
    const [naive, ours] = await inTurn({ ...setting, cold: 1 }, servers, (server) =>
      asker(setting, server)(`${list.name}.php?count=status`),
    );
    deepStrictEqual(ours[0].data.counts, naive[0].data.counts);
    const [bare, own] = [naive, ours].map((each) => median(each.map(({ milliseconds }) => milliseconds)));
    return {
      rows: [
        ['bare GROUP BY', bare],
        ['ours', own],
      ],
      aims: [judged(`${list.name}: count=status, ours / naive`, own / bare, 'at most', 1.2)],
    };
  });
}

module.exports = { measureCounts, measureMemory, measureOthers, measurePages, measureThroughput };
