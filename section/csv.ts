import { visibleText } from './html';

/** Without it, some spreadsheets read the text in another encoding than UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';

/** A line of CSV (RFC 4180). */
export function csvRow(values: readonly (string | number | null)[]): string {
  return `${values.map(csvValue).join(',')}\r\n`;
}

/**
 * The place before a formula, where a cell may begin: a spreadsheet that splits at other characters than the comma also
 * ignores the quotes around a value. The last four first characters are from East Asian keyboards.
 */
const BEFORE_FORMULA = /(?<=^|[;\t\n]|\r(?!\n))(?=["'\s;]*[=+\-@＝＋－＠])/g;

function csvValue(value: string | number | null): string {
  if (typeof value !== 'string') return String(value ?? '');
  // A spreadsheet would run a formula. The quote turns it into text.
  const safe = visibleText(value).replace(BEFORE_FORMULA, "'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
