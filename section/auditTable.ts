import type { AuditAction, AuditEntry } from '../lib/audit/AuditLog';
import { type Html, html, type Part, shownTime } from './html';
import type { SectionRequest } from './SectionRequest';
import { table } from './table';

export function auditTable(request: SectionRequest, entries: readonly AuditEntry[]): Html {
  if (entries.length === 0) return html`<p>There are no entries.</p>`;
  const link = (id: number) => html`<a href="${request.to(`tokens/${id}`)}">#${id}</a>`;
  return table(entries, [
    ['When', ({ at }) => shownTime(at)],
    ['Who', ({ actor }) => actor],
    ['What', ({ action }) => ACTIONS[action] ?? action],
    ['Origin', ({ origin }) => origin],
    ['Token', ({ tokenId }) => (tokenId === null ? null : link(tokenId))],
    ['Details', ({ details }) => shownDetails(details)],
  ]);
}

const ACTIONS: Readonly<Record<AuditAction, string>> = {
  'token.created': 'created a token',
  'token.changed': 'changed a token',
  'token.extended': 'extended a token',
  'token.revoked': 'revoked a token',
  'token.rotated': 'rotated a token',
  'settings.changed': 'changed the settings',
  'api.enabled': 'switched the API on',
  'api.disabled': 'switched the API off',
};

function shownDetails(details: AuditEntry['details']): Html {
  return html`${Object.entries(details)
    .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => html`<span class="detail">${name}: ${shownDetail(name, value)}</span> `)}`;
}

function shownDetail(name: string, value: unknown): Part {
  if (typeof value === 'string') return name.endsWith('_at') ? timeOf(value) : value;
  if (Array.isArray(value)) return value.map(String).join(', ');
  if (isChange(value)) return `from ${settingText(value.from)} to ${settingText(value.to)}`;
  return JSON.stringify(value);
}

// The details of an entry contain times in RFC 3339.
function timeOf(text: string): Html | string {
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? text : shownTime(Math.floor(milliseconds / 1000));
}

function isChange(value: unknown): value is { readonly from: unknown; readonly to: unknown } {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value;
}

// The only setting that may be null is the days until a token expires.
function settingText(value: unknown): string {
  return value === null ? 'never' : String(value);
}
