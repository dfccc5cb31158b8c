/** The value that this share of all values (0 to 1) does not exceed. */
function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}

const median = (values) => quantile(values, 0.5);

/** The median of a figure over all stretches of a contestant. */
const middle = ({ stretches }, figure) => median(stretches.map((stretch) => stretch[figure]));

/**
 * Measures each subject in turn, round after round, in reverse order in every second round. Returns the samples of each,
 * without those of the first rounds, which are `cold`.
 */
async function inTurn({ rounds, cold = 0 }, subjects, measure) {
  const samples = subjects.map(() => []);
  const order = [...subjects.keys()];
  for (let round = 0; round < cold + rounds; round++) {
    for (const index of order) samples[index].push(await measure(subjects[index]));
    order.reverse();
  }
  return samples.map((each) => each.slice(cold));
}

/** Returns the task's result, or `{ failure }` with the reason. */
async function attempt(task) {
  try {
    return await task();
  } catch (error) {
    return { failure: error.message };
  }
}

module.exports = { attempt, inTurn, median, middle, quantile };
