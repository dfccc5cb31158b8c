const { isDeepStrictEqual } = require('node:util');
const { withServers } = require('../servers/withServers');
const { interleaved, median } = require('../../statistics');

/** The duration in milliseconds of `count=status`, and of the bare GROUP BY that a panel writes by hand. */
async function measureCounts(setting, list) {
  return withServers(['naive', 'ours'], setting, async (naive, ours) => {
    const times = { naive: [], ours: [] };
    const found = {};
    await interleaved(setting.rounds + 1, [naive, ours], async ({ kind, target }) => {
      const { body, milliseconds } = await setting.client.call(
        'get',
        target,
        `${list.name}.php?count=status`,
      );
      found[kind] = body.data?.counts;
      times[kind].push(milliseconds);
    });
    if (!found.ours || !isDeepStrictEqual(found.ours, found.naive))
      throw new Error(`ours counts ${JSON.stringify(found.ours)}, naive ${JSON.stringify(found.naive)}.`);
    // The first answers are those of a cold cache.
    const [byHand, own] = [median(times.naive.slice(1)), median(times.ours.slice(1))];
    return { naive: byHand, ours: own, ratio: own / byHand };
  });
}

module.exports = { measureCounts };
