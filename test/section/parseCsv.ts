/** The rows of a table in CSV (RFC 4180), each as its values. Throws where the text is none. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  const value = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  for (let row: string[] = []; value.lastIndex < text.length; ) {
    const [whole, quoted, plain = '', end] = value.exec(text) ?? [];
    if (whole === undefined) throw new Error(`This is no CSV: ${text.slice(0, 200)}`);
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
