/** The value that this share of all values (0 to 1) does not exceed. */
function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}

const median = (values) => quantile(values, 0.5);

/** The median of a figure over all stretches of a contestant. */
const middle = ({ stretches }, figure) => median(stretches.map((stretch) => stretch[figure]));

/** Runs a task for each subject in turn, round after round, in reverse order in every second round. */
async function interleaved(rounds, subjects, task) {
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? subjects : [...subjects].reverse();
    for (const subject of order) await task(subject);
  }
}

/** Returns the task's result, or `{ failure }` with the reason. */
async function attempt(task) {
  try {
    return await task();
  } catch (error) {
    return { failure: error.message };
  }
}

module.exports = { attempt, interleaved, median, middle, quantile };
