import type { AuditEntry } from '../lib/audit/AuditLog';
import { type Detail, type DetailValue, detailsOf } from '../lib/audit/auditTexts';
import { parseTime } from '../lib/time/time';
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
