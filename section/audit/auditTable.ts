import type { AuditAction, AuditEntry } from '../../lib/audit/AuditLog';
import { type Html, html, type Part } from '../html/html';
import { shownTime } from '../html/shownTime';
import type { Visit } from '../Visit';

const WORDS: Readonly<Record<AuditAction, string>> = {
  'token.created': 'made a token',
  'token.revoked': 'revoked a token',
  'token.rotated': 'rotated a token',
  'settings.changed': 'changed the settings',
  'api.enabled': 'switched the API on',
  'api.disabled': 'switched the API off',
};

/** Entries of the audit trail: who, when, what, from where. */
export function auditTable(visit: Visit, entries: readonly AuditEntry[]): Html {
  if (entries.length === 0) return html`<p>There are no entries.</p>`;
  return html`<div class="wide"><table class="stacked"><thead><tr>
<th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">From</th><th scope="col">Token</th><th scope="col">Details</th>
</tr></thead><tbody>
${entries.map(
  ({
    at,
    actor,
    action,
    origin,
    tokenId,
    details,
  }) => html`<tr><td data-label="When">${shownTime(at)}</td><td data-label="Who">${actor}</td><td data-label="What">${WORDS[action] ?? action}</td><td data-label="From">${origin}</td>
<td data-label="Token">${tokenId === null ? null : html`<a href="${visit.to(`tokens/${tokenId}`)}">#${tokenId}</a>`}</td><td data-label="Details">${shownDetails(details)}</td></tr>
`,
)}</tbody></table></div>`;
}

function shownDetails(details: AuditEntry['details']): Html {
  return html`${Object.entries(details)
    .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => html`<span class="detail">${name}: ${shownDetail(name, value)}</span> `)}`;
}

function shownDetail(name: string, value: unknown): Part {
  if (typeof value === 'string') return name.endsWith('_at') ? timeOf(value) : value;
  if (Array.isArray(value)) return value.map(String).join(', ');
  if (isChange(value)) return `from ${word(value.from)} to ${word(value.to)}`;
  return JSON.stringify(value);
}

// A time stands in the trail as programs write it (RFC 3339).
function timeOf(text: string): Html | string {
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? text : shownTime(Math.floor(milliseconds / 1000));
}

function isChange(value: unknown): value is { readonly from: unknown; readonly to: unknown } {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value;
}

// Of the settings, only how many days pass until a token expires may be null.
function word(value: unknown): string {
  return value === null ? 'never' : String(value);
}
