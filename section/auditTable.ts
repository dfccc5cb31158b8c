import type { AuditEntry } from '../lib/audit/AuditLog';
import { actionText, type Detail, type DetailValue, detailsOf } from '../lib/audit/auditTexts';
import { durationText } from '../lib/time/relativeTime';
import { parseTime } from '../lib/time/time';
import { type Html, html, type Part } from './html';
import type { SectionRequest } from './SectionRequest';
import { table } from './table';
import { englishTexts, type TextKey } from './texts';

/** Entries of the audit trail, one line each, which opens to show the whole. */
export function auditTable(
  request: SectionRequest,
  entries: readonly AuditEntry[],
  { hasToken = true }: { readonly hasToken?: boolean } = {},
): Html {
  return table<AuditEntry>(
    entries,
    [
      [request.text('audit.when'), ({ at }) => request.relative(at), 'when'],
      [request.text('audit.who'), ({ actor }) => actor, 'who'],
      [request.text('audit.what'), (entry) => whatHappened(request, entry), 'what'],
      ...(hasToken
        ? [
            [
              request.text('tokens.column.token'),
              (entry: AuditEntry) => tokenOf(request, entry),
              'about',
            ] as const,
          ]
        : []),
      [request.text('audit.from'), (entry) => placeOf(request, entry), 'from'],
    ],
    { table: html` id="entries"` },
  );
}

function whatHappened(request: SectionRequest, entry: AuditEntry): Html {
  // The token's column has its name.
  const details = detailsOf(entry).filter(({ name, from }) => name !== 'name' || from !== null);
  return html`<details><summary>${known(request, actionText(entry.action), entry.action)}${details.map((detail) => html` <span class="detail">${detailText(request, detail)}</span>`)}</summary>
<p><small>${request.words('audit.at', { time: request.exact(entry.at) })}</small></p></details>`;
}

function detailText(request: SectionRequest, { name, nameKey, from, value }: Detail): Html {
  const words = known(request, nameKey ?? `setting.${name}.title`, html`<code>${name}</code>`);
  const to = shownValue(request, value);
  return from === null
    ? request.words('audit.detail', { name: words, value: to })
    : request.words('audit.change', { name: words, from: shownValue(request, from), to });
}

function shownValue(request: SectionRequest, value: DetailValue): Part {
  switch (value.kind) {
    case 'text':
      return value.text;
    case 'words':
      return value.words.map((word, index) => html`${index === 0 ? null : ', '}<code>${word}</code>`);
    case 'time':
      return request.exact(parseTime(value.time));
    case 'duration':
      return durationText(value.seconds, request.language);
    case 'token':
      return `#${value.id}`;
    case 'key':
      return known(request, value.key, '');
  }
}

/** A text without placeholders, if there is one with this key. A later version may have written what has none. */
function known(request: SectionRequest, key: string, otherwise: Part): Part {
  return Object.hasOwn(englishTexts, key) ? request.text(key as TextKey & 'audit.none') : otherwise;
}

function tokenOf(request: SectionRequest, { tokenId, details: { name } }: AuditEntry): Html | null {
  if (tokenId === null) return null;
  const shown = typeof name === 'object' && name !== null && 'to' in name ? name.to : name;
  return html`<a href="${request.to(`tokens/${tokenId}`)}">#${tokenId}</a> ${typeof shown === 'string' ? shown : null}`;
}

function placeOf(request: SectionRequest, { origin, address }: AuditEntry): Html {
  return html`${known(request, `audit.origin.${origin}`, origin)}${address === null ? null : html` <code>${address}</code>`}`;
}
