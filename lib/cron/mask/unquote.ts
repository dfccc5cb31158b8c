const QUOTED = /\\([\s\S])|'([^']*)'?|"((?:\\[\s\S]|[^"\\])*)"?/g;

/** A shell word without its quotes and backslashes, as a program gets it; variables stay as they are written. */
export function unquote(word: string): string {
  if (!/['"\\]/.test(word)) return word;
  return word.replace(
    QUOTED,
    (_, escaped?: string, single?: string, double?: string) =>
      escaped ?? single ?? (double ?? '').replace(/\\(["\\$`])/g, '$1'),
  );
}
