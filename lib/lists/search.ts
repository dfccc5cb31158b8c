import { refuseParameter } from '../errors/ApiError';
import type { Fields } from '../fields';
import { beginsInEither } from '../fields/domainNames';
import type { Row, Search, SourceReport } from '../sources/Source';

/** Maximum characters of a search. */
export const LONGEST_SEARCH = 256;

// No text in a database contains NUL.
const SEARCH = new RegExp(`^[^\\0]{1,${LONGEST_SEARCH}}$`);

/** Parses the parameter `search`. Throws ApiError `query_invalid` if it cannot be the beginning of a name. */
export function parseSearch(
  text: string | undefined,
  fields: Fields,
  { searchable }: SourceReport,
): Search | null {
  if (text === undefined) return null;
  if (!SEARCH.test(text))
    refuseParameter('search', `the beginning of a name, 1 to ${LONGEST_SEARCH} characters without NUL`);
  return { text, fields: searchable, domains: searchable.filter((name) => fields[name]?.form?.isDomain) };
}

/** Returns the test whether an item has a name that begins with the text. */
export function matchesSearch({ text, fields, domains }: Search): (item: Row) => boolean {
  return (item) =>
    fields.some((name) => {
      const value = item[name];
      if (typeof value !== 'string') return false;
      return domains.includes(name) ? beginsInEither(value, text, begins) : begins(value, text);
    });
}

function begins(value: string, text: string): boolean {
  return folded(value.slice(0, text.length)) === folded(text);
}

// Of other letters, databases and languages have different opinions.
function folded(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
