const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/**
 * Like `JSON.parse`, with a bigint for each whole number of at most 100 digits that a number cannot hold. Node 20 does not
 * pass the digits of a number to the reviver. A repeated group in the expression would need a stack as long as the text
 * that it matches.
 */
export function parseExactJson(text: string): unknown {
  // The expression takes linear time over JSON alone.
  const rounded = JSON.parse(text);
  if (!/\d{16}/.test(text)) return rounded;
  // Long numbers pass JSON.parse as texts with a mark, which no text of the panel's can know.
  const mark = `${Math.random()}:`;
  const marked = text.replace(TEXT_OR_NUMBER, (token) =>
    /^-?[1-9]\d{15,99}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${mark}${token}"` : token,
  );
  return JSON.parse(marked, (_name, value) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  );
}
