import type { AuditAction, AuditEntry } from '../../lib/audit/AuditLog';
import { type Html, html } from '../html/html';
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
  return html`<div class="wide"><table><thead><tr>
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
  }) => html`<tr><td>${shownTime(at)}</td><td>${actor}</td><td>${WORDS[action] ?? action}</td><td>${origin}</td>
<td>${tokenId === null ? null : html`<a href="${visit.to(`tokens/${tokenId}`)}">#${tokenId}</a>`}</td><td>${shownDetails(details)}</td></tr>
`,
)}</tbody></table></div>`;
}

function shownDetails(details: AuditEntry['details']): Html {
  return html`${Object.entries(details)
    .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
    .map(
      ([name, value]) =>
        html`<span class="detail">${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}</span> `,
    )}`;
}
