/** Runs a task for each subject in turn, round after round, in reverse order in every second round. */
async function interleaved(rounds, subjects, task) {
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? subjects : [...subjects].reverse();
    for (const subject of order) await task(subject);
  }
}

module.exports = { interleaved };
