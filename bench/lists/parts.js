const { deepStrictEqual } = require('node:assert');
const { judged } = require('../frame/report');
const { interleaved, median } = require('../frame/statistics');
const { withWarm } = require('./servers');

const limit = 100;
const few = 20;
const stride = 1000;
const warmingRounds = 20;
const rounds = 200;

/** The first, the middle and the last page of 100 rows, and the first page of a filtered list. */
async function measurePages(setting, list) {
  return withWarm(['ours'], setting, async (server) => {
    const ask = asker(setting, server);
    const pages = await pagesOf(ask, list);
    const medians = await medianTimes(ask, [
      ...pages,
      [`first of ${list.filter}`, pathOf(list, limit, list.filter)],
    ]);
    const whole = medians.slice(0, pages.length).map(([, time]) => time);
    const ratio = Math.max(...whole) / Math.min(...whole);
    return {
      rows: medians,
      aims: [
        judged(`${list.name}: largest / smallest of its first, middle and last page`, ratio, 'at most', 2),
      ],
    };
  });
}

/**
 * The first, the middle and the last page of 100 rows in each order of a list, and the 20 newest rows of a filtered list,
 * each beside the first page by key.
 */
async function measureOrders(setting, list) {
  return withWarm(['ours'], setting, async (server) => {
    const ask = asker(setting, server);
    const pages = [['first, by key', pathOf(list, limit)]];
    for (const order of ['desc', ...list.orders.map((name) => `-${name}`)])
      pages.push(...(await pagesOf(ask, list, `order=${order}`)));
    const newest = `${list.filter}&order=desc`;
    const small = [
      [`first of ${few}, by key`, pathOf(list, few)],
      [`first of ${few}, ${newest}`, pathOf(list, few, newest)],
    ];
    const groups = [await medianTimes(ask, pages), await medianTimes(ask, small)];
    const ratios = groups.flatMap(([[, first], ...others]) => others.map(([, time]) => time / first));
    return {
      rows: groups.flat(),
      aims: [
        judged(`${list.name}: largest in any order / first by key`, Math.max(...ratios), 'at most', 1.5),
      ],
    };
  });
}

/** `count=status`, and the bare GROUP BY that a panel writes by hand. */
async function measureCounts(setting, list) {
  return withWarm(['naive', 'ours'], setting, async (...servers) => {
    const times = { naive: [], ours: [] };
    const found = {};
    await interleaved(setting.rounds + 1, servers, async (server) => {
      const { data, milliseconds } = await asker(setting, server)(`${list.name}.php?count=status`);
      found[server.label] = data.counts;
      times[server.label].push(milliseconds);
    });
    deepStrictEqual(found.ours, found.naive);
    // The first answers are those of a cold cache.
    const [naive, ours] = [times.naive, times.ours].map((each) => median(each.slice(1)));
    return {
      rows: [
        ['bare GROUP BY', naive],
        ['ours', ours],
      ],
      aims: [judged(`${list.name}: count=status, ours / naive`, ours / naive, 'at most', 1.2)],
    };
  });
}

/** A function that asks for a path, and returns the data of its answer and the milliseconds. */
const asker =
  ({ client }, { url, token }) =>
  async (path) => {
    const { status, body, milliseconds } = await client.call('get', { url, token }, path);
    if (status !== 200) throw new Error(`${path} was answered with ${status}: ${body.message}`);
    return { data: body.data, milliseconds };
  };

function pathOf({ name }, rows, filter, cursor) {
  const query = new URLSearchParams(filter);
  query.set('limit', rows);
  if (cursor) query.set('cursor', cursor);
  return `${name}.php?${query}`;
}

/** The first, the middle and the last page of a list in the order of the filter: pairs of a name and a path. */
async function pagesOf(ask, list, filter) {
  const walk = async (rows, from) => {
    const cursors = [];
    let seen = 0;
    for (let cursor = from; cursor !== undefined; ) {
      const { data } = await ask(pathOf(list, rows, filter, cursor));
      cursors.push(cursor);
      seen += data.items.length;
      cursor = data.next_cursor ?? undefined;
    }
    return { cursors, seen };
  };
  const { cursors, seen } = await walk(stride, null);
  if (seen !== list.rows) throw new Error(`${list.name}: its pages have ${seen} rows of ${list.rows}.`);
  // The last stride again in small steps, to reach the last page exactly.
  const last = (await walk(limit, cursors.at(-1))).cursors.at(-1);
  const pages = { first: null, middle: cursors[Math.floor(cursors.length / 2)], last };
  return Object.entries(pages).map(([page, cursor]) => [
    filter ? `${page}, ${filter}` : page,
    pathOf(list, limit, filter, cursor),
  ]);
}

/** The median milliseconds of each page: pairs of its name and its time. */
async function medianTimes(ask, pages) {
  const times = pages.map(() => []);
  await interleaved(warmingRounds + rounds, [...pages.entries()], async ([index, [, path]]) => {
    const { data, milliseconds } = await ask(path);
    if (data.items.length === 0) throw new Error(`${path} has no rows.`);
    times[index].push(milliseconds);
  });
  return pages.map(([name], index) => [name, median(times[index].slice(warmingRounds))]);
}

module.exports = { measureCounts, measureOrders, measurePages };
