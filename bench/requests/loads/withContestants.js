/** Loads with those of their subjects alone who are to be measured and none that nobody is left for. Throws where none is left. */
function withContestants(loads, contestants) {
  const names = contestants.map(({ name }) => name);
  const left = loads
    .map((load) => ({
      ...load,
      subjects: load.subjects.filter(({ contestant }) => names.includes(contestant)),
    }))
    .filter(({ subjects }) => subjects.length > 0);
  if (left.length === 0) throw new Error('None of these contestants takes part in these loads.');
  return left;
}

module.exports = { withContestants };
