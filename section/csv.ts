import { visibleText } from './html';

/** Without it, some spreadsheets read the text in another encoding than UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';

/** A line of CSV (RFC 4180). */
export function csvRow(values: readonly (string | number | null)[]): string {
  return `${values.map(csvValue).join(',')}\r\n`;
}

/** What may stand between the beginning of a cell and a formula. The last four first characters are from East Asian keyboards. */
const BEFORE_FORMULA = /(?<!["'\s;])["'\s;]*(?=[=+\-@＝＋－＠])/g;

/**
 * Where a cell may begin within it: a spreadsheet that splits at other characters than the comma also ignores the quotes
 * around a value.
 */
const CELL_START = /(?<=[;\t\n]|\r(?!\n))/g;

function csvValue(value: string | number | null): string {
  if (typeof value !== 'string') return String(value ?? '');
  // A spreadsheet would run a formula. The quote turns it into text.
  const safe = visibleText(value).replace(
    BEFORE_FORMULA,
    (before, index) => (index === 0 ? "'" : '') + before.replace(CELL_START, "'"),
  );
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
