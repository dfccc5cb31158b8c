/** The value in a load's results that an aim is about, and its contestant. Undefined if none took part. */
function measureOf(aim, results) {
  const find = (name, connections = aim.connections) =>
    at(results, connections).find((subject) => subject.name === name);

  if (aim.measure === 'ratio') {
    const subject = find(aim.name);
    const other = find(aim.against);
    if (!subject || !other) return undefined;
    return {
      who: subject.label,
      against: other.label,
      value: subject.perSecond.median / other.perSecond.median,
    };
  }

  const read = {
    loopDelay: ({ loopDelay }) => loopDelay,
    // It includes what the module does once per second, independent of requests.
    statements: ({ statements }) => Math.round(statements * 10) / 10,
    growth: ({ name, statements }) => statements / find(name, 1).statements,
  }[aim.measure];
  return worst(at(results, aim.connections), read);
}

const at = (results, connections) => results.find((each) => each.connections === connections).subjects;

/** The largest value among the module's contestants. */
function worst(subjects, read) {
  return subjects
    .filter(({ ours }) => ours)
    .map((subject) => ({ who: subject.label, value: read(subject) }))
    .toSorted((a, b) => b.value - a.value)[0];
}

module.exports = { measureOf };
