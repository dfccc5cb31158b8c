const { interleaved, median } = require('../../statistics');

const warmingRounds = 20;
const rounds = 200;

/** The median duration in milliseconds of each page of `paths`, a list of pairs of a name and a path. */
async function medianTimes(ask, paths) {
  const times = Object.fromEntries(paths.map(([page]) => [page, []]));
  const measure = async ([page, path]) => {
    const answer = await ask(path);
    if (dataOf(answer, path).items.length === 0) throw new Error(`${path} has no rows.`);
    times[page].push(answer.milliseconds);
  };
  await interleaved(warmingRounds, paths, measure);
  for (const page of Object.keys(times)) times[page] = [];
  await interleaved(rounds, paths, measure);
  return Object.fromEntries(Object.entries(times).map(([page, each]) => [page, median(each)]));
}

function dataOf({ status, body }, path) {
  if (status !== 200) throw new Error(`${path} was answered with ${status}: ${body.message}`);
  return body.data;
}

module.exports = { dataOf, medianTimes };
