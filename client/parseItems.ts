import { parseExactJson } from './parseExactJson';

const START = /^(.*?"items"\s*:\s*\[)(.*)$/s;

/** A text in quotes, perhaps without its end, or a bracket. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*("?)|[{}[\]]/gs;

/**
 * Yields the items of a list as the pieces of its answer arrive, and returns the answer without them. Throws a
 * SyntaxError if it is not the JSON of a list, as if it was cut off, or if an item has more characters than the longest.
 */
export async function* parseItems(readPiece: () => Promise<string | undefined>, longest: number) {
  let [outside, pending, count, isInItems, enough] = ['', '', 0, false, 0];
  for (let piece: string | undefined = ''; piece !== undefined; ) {
    piece = await readPiece();
    if (piece !== undefined && pending.length > longest) throw new SyntaxError();
    pending += piece ?? '';
    if (piece !== undefined && pending.length < enough) continue;
    const [, before, behind = ''] = (outside === '' && START.exec(pending)) || [];
    if (before) [outside, pending, isInItems] = [before, behind, true];
    let [depth, start] = [0, 0];
    for (const { 0: token, 1: quote, index } of isInItems ? pending.matchAll(TOKEN) : []) {
      if (quote === undefined) depth += '[{'.includes(token) ? 1 : -1;
      if (quote !== undefined || depth > 0) continue;
      // An item ends behind this bracket, or the list before it.
      const text = pending.slice(start, index + 1 + depth);
      start += text.length;
      // The null stands for the items before, so the text begins with a comma. Digits could extend a number.
      const json = `[null${count > 0 || text.trim() === '' ? '' : ','}${text}]`;
      const [, ...items] = parseExactJson(json) as unknown[];
      yield* items;
      count += items.length;
      if (depth < 0) break;
    }
    if (depth < 0) [outside, isInItems] = [outside + count, false];
    // The end of a long item is looked for again when twice as much has arrived: the time stays linear.
    enough = start > 0 ? 0 : Math.min(2 * pending.length, longest);
    pending = pending.slice(start);
  }
  const envelope = Object(parseExactJson(outside + pending));
  // Their number is in the place of the items, unless it was not `data.items` that was read.
  if (envelope.success === true && String(envelope.data?.items) !== String(count)) throw new SyntaxError();
  return envelope;
}
