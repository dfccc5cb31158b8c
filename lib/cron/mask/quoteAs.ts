const NEEDS_QUOTES = /[^\w./:=*@+,[\]{}$%-]/g;

/**
 * A text as one shell word again, in the first quotes that the word `model` has, so that `unquote` gives the text
 * back. Variables are left as they are.
 */
export function quoteAs(model: string, text: string): string {
  if (text.search(NEEDS_QUOTES) < 0) return text;
  const quote = /["']/.exec(model)?.[0];
  if (quote === "'") return `'${text.replaceAll("'", "'\\''")}'`;
  return quote ? `"${text.replace(/["\\]/g, '\\$&')}"` : text.replace(NEEDS_QUOTES, '\\$&');
}
