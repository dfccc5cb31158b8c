import type { AuditEntry } from '../lib/audit/AuditLog';
import { type Detail, type DetailValue, detailsOf } from '../lib/audit/auditTexts';
import { parseTime } from '../lib/time/time';
import type { TokenRecord } from '../lib/tokens/TokenRecord';
import type { WidenedRight } from '../lib/tokens/tokenWarnings';
import { detailValue } from './auditTable';
import { code, type Html, html, type Part } from './html';
import type { SectionRequest } from './SectionRequest';
import { table } from './table';

/** A table of the properties in the details of an audit entry that were changed. Those in `wider` are marked. */
export function changeTable(
  request: SectionRequest,
  details: AuditEntry['details'],
  wider: readonly WidenedRight[] = [],
): Html {
  const mark = html` <span class="mark warn">${request.text('edit.wider')}</span>`;
  const isWider = (name: string) => wider.some((right) => right === name);
  const changes = detailsOf({ details }).flatMap(({ from, ...to }) => (from ? [{ from, ...to }] : []));
  const nameOf = ({ name, nameKey }: Detail) =>
    html`${request.known(nameKey ?? name, name)}${isWider(name) && mark}`;
  return table(request, changes, [
    ['token.change', nameOf, 'heading'],
    ['token.change.from', ({ from, value }) => side(request, from, value, 'del'), 'lines'],
    ['token.change.to', ({ from, value }) => side(request, value, from, 'ins'), 'lines'],
  ]);
}

/** A value; of a list, the entries that the other one lacks are marked as deleted or inserted. */
function side(request: SectionRequest, value: DetailValue, other: DetailValue, tag: 'del' | 'ins'): Part {
  if (value.kind === 'time') return request.relativeAndExact(parseTime(value.time));
  if (value.kind !== 'words') return detailValue(request, value);
  const others = other.kind === 'words' ? other.words : [];
  return value.words.map((word) => {
    if (others.includes(word)) return html`${code(word)} `;
    return tag === 'del' ? html`<del>${code(word)}</del> ` : html`<ins>${code(word)}</ins> `;
  });
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
  return html`${changes.map((entry) => html`<div class="notice warn">${changeOf(request, entry)}</div>`)}`;
}

function changeOf(request: SectionRequest, { action, actor, at, details }: AuditEntry): Html {
  const by = { person: actor, time: request.relative(at) };
  if (action !== 'token.rotated')
    return html`<p>${request.words('edit.stale.by', by)}</p>
${changeTable(request, details)}`;
  const expires = request.exact(parseTime(String(details.expires_at)));
  return html`<p>${request.words('edit.stale.rotated', { ...by, expires })}</p>`;
}
