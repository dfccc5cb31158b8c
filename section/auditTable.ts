import type { AuditEntry } from '../lib/audit/AuditLog';
import { actionText, type DetailValue, detailsOf } from '../lib/audit/auditTexts';
import { durationText, parseTime } from '../lib/time/time';
import { code, type Html, html, listed, type Part } from './html';
import type { SectionRequest } from './SectionRequest';
import { type Column, table } from './table';

/** Entries of the audit trail, one line each, which opens to show the whole. */
export function auditTable(
  request: SectionRequest,
  entries: readonly AuditEntry[],
  { hasToken = true } = {},
): Html {
  const fromWhere = ({ origin, address }: AuditEntry) =>
    html`${request.known(`audit.origin.${origin}`, origin)}${address !== null && html` ${code(address)}`}`;
  const about: Column<AuditEntry> = ['tokens.column.token', (entry) => tokenOf(request, entry), 'about'];
  const columns: readonly Column<AuditEntry>[] = [
    ['audit.when', ({ at }) => request.relative(at), 'when'],
    ['audit.who', ({ actor }) => actor, 'who'],
    ['audit.what', (entry) => whatHappened(request, entry), 'what'],
    ...(hasToken ? [about] : []),
    ['audit.from', fromWhere, 'from'],
  ];
  return table(request, entries, columns, { table: html` id="entries"` });
}

function whatHappened(request: SectionRequest, entry: AuditEntry): Html {
  const action = request.known(actionText(entry.action), entry.action);
  const details = detailsOf(entry).map(({ name, nameKey, from, value }) => {
    // The token's column has its name.
    if (name === 'name' && from === null) return null;
    const both = {
      name: request.known(nameKey ?? `setting.${name}.title`, code(name)),
      value: detailValue(request, value),
    };
    const words =
      from === null
        ? request.words('audit.detail', both)
        : request.words('audit.change', { ...both, from: detailValue(request, from), to: both.value });
    return html` <span class="detail">${words}</span>`;
  });
  return html`<details><summary>${action}${details}</summary>
<p><small>${request.words('audit.at', { time: request.exact(entry.at) })}</small></p></details>`;
}

export function detailValue(request: SectionRequest, value: DetailValue): Part {
  if (value.kind === 'text') return value.text;
  if (value.kind === 'words') return listed(value.words.map(code));
  if (value.kind === 'time') return request.exact(parseTime(value.time));
  if (value.kind === 'duration') return durationText(value.seconds, request.language);
  if (value.kind === 'number') return request.number(value.number);
  return value.kind === 'token' ? `#${value.id}` : request.text(value.key as 'audit.none');
}

function tokenOf(request: SectionRequest, { tokenId, details: { name } }: AuditEntry): Html | null {
  if (tokenId === null) return null;
  const shown = typeof name === 'object' && name !== null && 'to' in name ? name.to : name;
  return html`${request.link(`tokens/${tokenId}`, `#${tokenId}`)} ${typeof shown === 'string' && shown}`;
}
