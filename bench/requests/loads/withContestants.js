/** Limits each load to the contestants to be measured, and drops loads without any. Throws if no load is left. */
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
