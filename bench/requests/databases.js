/** How many tokens each database has. */
const databases = {
  panel: 1000,
  million: 1_000_000,
};

module.exports = { databases };
