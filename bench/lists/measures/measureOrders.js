const { withServers } = require('../servers/withServers');
const { dataOf, medianTimes } = require('./medianTimes');
const { pagePath, walkPages } = require('./walkPages');

const limit = 100;
const few = 20;

/**
 * The duration in milliseconds of the first, the middle and the last page of 100 rows in each order of a list, and of
 * the 20 newest rows of a filtered list, beside the first pages by key; and the largest ratio to these.
 */
async function measureOrders(setting, list) {
  return withServers(['ours'], setting, async ({ target }) => {
    const ask = (path) => setting.client.call('get', target, path);
    const first = pagePath(list.name, { limit });
    const paths = [['first, by key', first]];
    for (const order of ['desc', ...(list.orders ?? []).map((name) => `-${name}`)]) {
      const filter = `order=${order}`;
      const cursors = await walkPages(async (path) => dataOf(await ask(path), path), list, limit, filter);
      for (const [page, cursor] of Object.entries(cursors))
        paths.push([`${page}, ${filter}`, pagePath(list.name, { limit, cursor, filter })]);
    }
    const newest = `${list.filter}&order=desc`;
    const small = [
      [`first of ${few}, by key`, pagePath(list.name, { limit: few })],
      [`first of ${few}, ${newest}`, pagePath(list.name, { limit: few, filter: newest })],
    ];
    const groups = [await medianTimes(ask, paths), await medianTimes(ask, small)];
    const ratios = groups.map((medians) => Math.max(...Object.values(medians)) / Object.values(medians)[0]);
    return { medians: Object.assign({}, ...groups), ratio: Math.max(...ratios) };
  });
}

module.exports = { measureOrders };
