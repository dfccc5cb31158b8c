// What a spreadsheet takes for the beginning of a formula; the last four are those of East Asian keyboards.
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** A line of CSV (RFC 4180). A spreadsheet would carry out what begins like a formula, so that gets a quote before it. */
export function csvRow(values: readonly (string | number | null)[]): string {
  return `${values.map(csvValue).join(',')}\r\n`;
}

function csvValue(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
