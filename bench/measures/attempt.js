/** Returns the task's result, or `{ failure }` with the reason. */
async function attempt(task) {
  try {
    return await task();
  } catch (error) {
    return { failure: error.message };
  }
}

module.exports = { attempt };
