const { withServers } = require('../servers/withServers');
const { interleaved } = require('../../measures/interleaved');
const { median } = require('../../measures/statistics');
const { pagePath, walkPages } = require('./walkPages');

const limit = 100;
const warmingRounds = 20;
const rounds = 200;

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

    const times = Object.fromEntries(paths.map(([page]) => [page, []]));
    const measure = async ([page, path]) => {
      const answer = await ask(path);
      if (dataOf(answer, path).items.length === 0) throw new Error(`${path} has no rows.`);
      times[page].push(answer.milliseconds);
    };
    await interleaved(warmingRounds, paths, measure);
    for (const page of Object.keys(times)) times[page] = [];
    await interleaved(rounds, paths, measure);

    const medians = Object.fromEntries(Object.entries(times).map(([page, each]) => [page, median(each)]));
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

function dataOf({ status, body }, path) {
  if (status !== 200) throw new Error(`${path} was answered with ${status}: ${body.message}`);
  return body.data;
}

module.exports = { measurePages };
