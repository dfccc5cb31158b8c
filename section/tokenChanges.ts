import type { AuditAction, AuditEntry } from '../lib/audit/AuditLog';
import { parseTime } from '../lib/time/time';
import type { TokenRecord } from '../lib/tokens/TokenRecord';
import type { WidenedRight } from '../lib/tokens/tokenWarnings';
import { code, type Html, html, type Part } from './html';
import type { SectionRequest } from './SectionRequest';
import { table } from './table';
import type { TextKey } from './texts';
import { lastUse } from './tokenFacts';

/** The properties that can be changed, by their names in the audit trail: label, the words for none, and the right. */
const PROPERTIES = {
  name: ['token.name', 'token.note.none', null],
  note: ['token.note', 'token.note.none', null],
  scopes: ['token.scopes', 'token.note.none', 'scopes'],
  account_id: ['token.account', 'token.account.all', 'account'],
  accounts: ['token.accounts', 'token.account.all', 'account'],
  owner: ['form.owner', 'audit.no', 'account'],
  allowed_addresses: ['token.addresses', 'token.addresses.any', 'addresses'],
  rate_limit: ['token.rate_limit', 'token.rate.general', 'rate_limit'],
  expires_at: ['token.expires', 'time.never', 'expiry'],
} as const satisfies Readonly<Record<string, readonly [TextKey, TextKey, WidenedRight | null]>>;

type Property = keyof typeof PROPERTIES;
type Difference = { readonly from: unknown; readonly to: unknown };

/**
 * A table of the properties in the details of an audit entry that were changed, from what to what. Those that are a
 * right in `wider` are marked.
 */
export function changeTable(
  request: SectionRequest,
  details: AuditEntry['details'],
  wider: readonly WidenedRight[] = [],
): Html {
  const mark = html` <span class="mark warn">${request.text('edit.wider')}</span>`;
  const nameOf = (name: Property) => {
    const [label, , right] = PROPERTIES[name];
    return html`${request.text(label)}${right !== null && wider.includes(right) && mark}`;
  };
  return table(Object.entries(details).filter(isChanged), [
    [request.text('token.change'), ([name]) => nameOf(name), 'heading'],
    [request.text('token.change.from'), ([name, { from, to }]) => shownValue(request, name, from, to, 'del')],
    [request.text('token.change.to'), ([name, { from, to }]) => shownValue(request, name, to, from, 'ins')],
  ]);
}

function isChanged(entry: readonly [string, unknown]): entry is [Property, Difference] {
  const [name, value] = entry;
  const isDifference = typeof value === 'object' && value !== null && 'from' in value && 'to' in value;
  return Object.hasOwn(PROPERTIES, name) && isDifference;
}

/** A value; of a list, the entries that the other one lacks are marked as deleted or inserted. */
function shownValue(
  request: SectionRequest,
  name: Property,
  value: unknown,
  other: unknown,
  tag: 'del' | 'ins',
): Part {
  if (value === null || (Array.isArray(value) && value.length === 0))
    return html`<span class="none">${request.text(PROPERTIES[name][1])}</span>`;
  if (Array.isArray(value))
    return value.map((one) => {
      if (Array.isArray(other) && other.includes(one)) return html`${code(one)} `;
      return tag === 'del' ? html`<del>${code(one)}</del> ` : html`<ins>${code(one)}</ins> `;
    });
  const time = name === 'expires_at' ? parseTime(String(value)) : null;
  if (time !== null) return request.relativeAndExact(time);
  if (typeof value === 'number') return request.number(value);
  if (value === true) return request.text('audit.yes');
  return name === 'note' ? html`<span class="lines">${String(value)}</span>` : String(value);
}

const MAX_ENTRIES = 50;
const CHANGES: ReadonlySet<string> = new Set(['token.changed', 'token.extended', 'token.rotated']);

/** What was changed since this version of the token, by whom and when; the newest change first. */
export async function changesSince(request: SectionRequest, token: TokenRecord, version: number) {
  const entries = await request.installation.audit.list({ tokenId: token.id, limit: MAX_ENTRIES });
  // Each of these changes raises the version by one.
  const changes = entries
    .filter(({ action }) => CHANGES.has(action))
    .slice(0, Math.max(0, token.version - version));
  return html`${changes.map(
    (entry) => html`<div class="notice warn">${changeOf(request, entry)}</div>
`,
  )}`;
}

function changeOf(request: SectionRequest, { action, actor, at, details }: AuditEntry): Html {
  const by = { person: actor, time: request.relative(at) };
  if (action !== 'token.rotated')
    return html`<p>${request.words('edit.stale.by', by)}</p>
${changeTable(request, details)}`;
  const expires = request.exact(parseTime(String(details.expires_at)));
  return html`<p>${request.words('edit.stale.rotated', { ...by, expires })}</p>`;
}

/** What was done to a token, in the URL of its page, with the audit entry that proves it. */
const DONE = {
  changed: 'token.changed',
  extended: 'token.extended',
  revoked: 'token.revoked',
  unchanged: null,
} as const satisfies Readonly<Record<string, AuditAction | null>>;

type Done = keyof typeof DONE;

/** Leads to the page of a token, which says what was done to it. */
export function goToDone(id: number, done: Done) {
  return { goTo: `tokens/${id}?done=${done}` };
}

/**
 * Says what was done to the token, if its newest audit entry shows that this administrator did it: another site may
 * have created the URL.
 */
export function doneNotice(request: SectionRequest, token: TokenRecord, newest: AuditEntry | undefined) {
  const done = (request.query.get('done') ?? '') as Done;
  if (!Object.hasOwn(DONE, done)) return null;
  const action = DONE[done];
  if (action !== null && !(newest?.action === action && newest.actor === request.actor)) return null;
  const changes = done === 'changed' && newest && changeTable(request, newest.details);
  return html`<div class="notice good" role="status">${doneWords(request, token, done)}${changes}</div>`;
}

function doneWords(request: SectionRequest, token: TokenRecord, done: Done): Html {
  if (done === 'revoked') return request.words('token.done.revoked', { use: lastUse(request, token) });
  if (done !== 'extended') return request.words(`token.done.${done}`);
  if (token.expiresAt === null) return request.words('token.done.everlasting');
  return request.words('token.done.extended', { time: request.relativeAndExact(token.expiresAt) });
}
