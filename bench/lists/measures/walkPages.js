const stride = 1000;

/**
 * Reads a list page by page, in the order of the `filter`, and returns the cursors of its first, middle and last page
 * of `limit` rows.
 */
async function walkPages(get, { name, rows }, limit, filter) {
  const cursors = [];
  let cursor = null;
  let seen = 0;
  do {
    const page = await get(pagePath(name, { limit: stride, cursor, filter }));
    cursors.push(cursor);
    seen += page.items.length;
    cursor = page.next_cursor;
  } while (cursor !== null);
  if (seen !== rows) throw new Error(`${name}: its pages have ${seen} rows of ${rows}.`);

  // The last stride again in small steps, to reach the last page exactly.
  let last = cursors.at(-1);
  for (let next = last; ; ) {
    const page = await get(pagePath(name, { limit, cursor: next, filter }));
    last = next;
    next = page.next_cursor;
    if (next === null) break;
  }
  return { first: null, middle: cursors[Math.floor(cursors.length / 2)], last };
}

function pagePath(name, { limit, cursor, filter }) {
  const query = new URLSearchParams(filter);
  query.set('limit', limit);
  if (cursor) query.set('cursor', cursor);
  return `${name}.php?${query}`;
}

module.exports = { pagePath, walkPages };
