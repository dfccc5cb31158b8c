const { isDeepStrictEqual } = require('node:util');
const { readWhole } = require('./readWhole');

/**
 * Throws unless both servers return all rows of the list, with equal values in the first, the middle and the last one.
 */
async function checkEquality(setting, list, naive, ours) {
  const { name, rows, columns } = list;
  const wanted = [...new Set([0, Math.floor(rows / 2), rows - 1])];
  const expected = await readWhole(setting, naive, list, wanted);
  const actual = await readWhole(setting, ours, list, wanted);
  for (const [kind, read] of Object.entries({ naive: expected, ours: actual })) {
    if (read.rows !== rows) throw new Error(`${name}: ${kind} answered with ${read.rows} rows of ${rows}.`);
  }
  expected.sample.forEach((row, index) => {
    for (const [column, { shown }] of Object.entries(columns)) {
      const should = shown(row[column]);
      const is = actual.sample[index][column];
      if (isDeepStrictEqual(is, should)) continue;
      throw new Error(
        `${name}, row ${row.id}, ${column}: ours has ${JSON.stringify(is)}, naive has ${JSON.stringify(should)}.`,
      );
    }
  });
}

module.exports = { checkEquality };
