/** A number with three digits, or a whole one. What was not measured is NaN. */
function figure(number) {
  if (Number.isNaN(number)) return '-';
  return Math.abs(number) < 999.5 ? number.toPrecision(3) : Math.round(number).toLocaleString('en');
}

/**
 * The lines of a table: the first column is aligned left, the others right. A row of one cell is a title above the rows
 * that follow it. Cells that are numbers are figures.
 */
function formatTable(rows) {
  const texts = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? figure(cell) : cell)));
  const widths = [];
  for (const row of texts.filter(({ length }) => length > 1))
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  return texts.map((row) =>
    row.length === 1
      ? row[0]
      : row
          .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
          .join('   ')
          .trimEnd(),
  );
}

const bounds = {
  'at least': (value, bound) => value >= bound,
  'at most': (value, bound) => value <= bound,
  below: (value, bound) => value < bound,
};

/** An aim for a measured value, judged. */
const judged = (about, value, is, bound) => ({ about, value, is, bound, reached: bounds[is](value, bound) });

/** The report as text: its head, its tables, each an array of rows, and its aims. */
function formatReport({ head, tables, aims }) {
  const rows = aims.map(({ about, value, is, bound, reached }) => [
    about,
    `${is} ${bound}`,
    value,
    reached ? 'reached' : 'missed',
  ]);
  const parts = [...tables, ...(rows.length > 0 ? [[['The aims'], ...rows]] : [])];
  return [head, ...parts.flatMap((part) => ['', ...formatTable(part)])].join('\n');
}

module.exports = { formatReport, judged };
