import { parseTime } from '../lib/time/time';
import { type Html, html, type Part } from './html';
import type { SectionRequest } from './SectionRequest';
import { table } from './table';
import type { TextKey } from './texts';
import { shownTwice } from './tokenFacts';

/** Changed properties of a token, by their names in the audit trail. */
export type Differences = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;

/** The properties that can be changed, by their names in the audit trail: their labels, and the words for none. */
const PROPERTIES = {
  name: ['token.name', 'token.note.none'],
  note: ['token.note', 'token.note.none'],
  scopes: ['token.scopes', 'token.note.none'],
  account_id: ['token.account', 'token.account.all'],
  allowed_addresses: ['token.addresses', 'token.addresses.any'],
  rate_limit: ['token.rate_limit', 'token.rate_limit.general'],
  expires_at: ['token.expires', 'time.never'],
} as const satisfies Readonly<Record<string, readonly [label: TextKey, none: TextKey]>>;

type Property = keyof typeof PROPERTIES;

/** The differences in the details of an audit entry. */
export function differencesIn(details: Readonly<Record<string, unknown>>): Differences {
  return Object.fromEntries(
    Object.entries(details).flatMap(([name, value]) =>
      Object.hasOwn(PROPERTIES, name) && isDifference(value) ? [[name, value]] : [],
    ),
  );
}

function isDifference(value: unknown): value is Differences[string] {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value;
}

/** A table of what changes, from what to what. `mark` adds a word to a property. */
export function changeTable(
  request: SectionRequest,
  differences: Differences,
  mark: (property: string) => Part = () => null,
): Html {
  return table(Object.entries(differences) as [Property, Differences[string]][], [
    [
      request.text('token.change'),
      ([name]) => html`${request.text(PROPERTIES[name][0])}${mark(name)}`,
      'heading',
    ],
    [request.text('token.change.from'), ([name, { from, to }]) => shownValue(request, name, from, to, 'del')],
    [request.text('token.change.to'), ([name, { from, to }]) => shownValue(request, name, to, from, 'ins')],
  ]);
}

/** A value; of a list, the entries that the other one lacks are marked as deleted or inserted. */
function shownValue(
  request: SectionRequest,
  name: Property,
  value: unknown,
  other: unknown,
  tag: 'del' | 'ins',
): Part {
  const none = html`<span class="none">${request.text(PROPERTIES[name][1])}</span>`;
  if (value === null) return none;
  if (!Array.isArray(value)) return shownScalar(request, name, value);
  const isNew = (one: unknown) => !(Array.isArray(other) && other.includes(one));
  const entries = value.map((one) => {
    const code = html`<code>${String(one)}</code>`;
    if (!isNew(one)) return html`${code} `;
    return tag === 'del' ? html`<del>${code}</del> ` : html`<ins>${code}</ins> `;
  });
  return entries.length === 0 ? none : entries;
}

function shownScalar(request: SectionRequest, name: Property, value: unknown): Part {
  if (name === 'expires_at') {
    const seconds = parseTime(String(value));
    return seconds === null ? String(value) : shownTwice(request, seconds);
  }
  if (typeof value === 'number') return request.number(value);
  return name === 'note' ? html`<span class="lines">${String(value)}</span>` : String(value);
}
