const { withServers } = require('../servers/withServers');
const { dataOf, medianTimes } = require('./medianTimes');
const { pagePath, walkPages } = require('./walkPages');

const limit = 100;

/**
 * The duration in milliseconds of the first, the middle and the last page of 100 rows, and of the first page of a
 * filtered list.
 */
async function measurePages(setting, list) {
  return withServers(['ours'], setting, async ({ target }) => {
    const ask = (path) => setting.client.call('get', target, path);
    const refusal = await refusalOf(ask, pagePath(list.name, { limit }));
    if (refusal) return { refusal };

    const cursors = await walkPages(async (path) => dataOf(await ask(path), path), list, limit);
    const paths = Object.entries(cursors).map(([page, cursor]) => [
      page,
      pagePath(list.name, { limit, cursor }),
    ]);
    const filtered = pagePath(list.name, { limit, filter: list.filter });
    const filterRefusal = await refusalOf(ask, filtered);
    if (!filterRefusal) paths.push(['filtered', filtered]);

    const medians = await medianTimes(ask, paths);
    const whole = [medians.first, medians.middle, medians.last];
    return { medians, ratio: Math.max(...whole) / Math.min(...whole), filter: list.filter, filterRefusal };
  });
}

/** Why the module refuses these parameters; undefined if it accepts them. */
async function refusalOf(ask, path) {
  const { status, body } = await ask(path);
  if (status === 200) return undefined;
  const { code, parameter } = body.error ?? {};
  if (code !== 'query_invalid') throw new Error(`${path} was answered with ${status}: ${body.message}`);
  return `the module refuses the parameter "${parameter}"`;
}

module.exports = { measurePages };
