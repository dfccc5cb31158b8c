import type { AuditEntry } from '../lib/audit/AuditLog';
import { InvalidInput } from '../lib/errors/InvalidInput';
import { parseTime } from '../lib/time/time';
import type { TokenRecord } from '../lib/tokens/TokenRecord';
import { type Html, html } from './html';
import type { Page } from './Page';
import type { SectionRequest } from './SectionRequest';
import { changeTable, differencesIn } from './tokenChanges';
import { formOfToken, type TokenForm } from './tokenForm';

/** What was typed into a form, over the token as it is now: a field that was not touched has the present value. */
export function mergeEdits(token: TokenRecord, typed: TokenForm, shown: TokenForm): TokenForm {
  const merged = Object.entries(formOfToken(token)).map(([name, present]) => {
    const [value, before] = [typed, shown].map((form) => form[name as keyof TokenForm]);
    return [name, JSON.stringify(value) === JSON.stringify(before) ? present : value];
  });
  return Object.fromEntries(merged) as TokenForm;
}

const MAX_ENTRIES = 50;

/** What was changed since this version of the token, by whom and when; the newest change first. */
export async function changesSince(
  request: SectionRequest,
  token: TokenRecord,
  version: number,
): Promise<Html> {
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

const CHANGES: ReadonlySet<string> = new Set(['token.changed', 'token.extended', 'token.rotated']);

function changeOf(request: SectionRequest, { action, actor, at, details }: AuditEntry): Html {
  const by = { person: actor, time: request.relative(at) };
  if (action !== 'token.rotated')
    return html`<p>${request.words('edit.stale.by', by)}</p>
${changeTable(request, differencesIn(details))}`;
  const expires = request.exact(parseTime(String(details.expires_at)));
  return html`<p>${request.words('edit.stale.rotated', { ...by, expires })}</p>`;
}

/** Whether a change was refused because the state of the token no longer allows it. */
export function hasEnded(error: unknown): boolean {
  return error instanceof InvalidInput && error.input === 'id';
}

/** Says that nothing was done, because the token has ended since its form was shown. */
export function endedPage(
  request: SectionRequest,
  { id, name }: TokenRecord,
  action: 'edit' | 'extend' | 'rotate',
): Page {
  return {
    title: request.text(`${action}.title`, { name }),
    problem: request.text(`${action}.ended`),
    status: 409,
    content: toToken(request, id),
  };
}

/** The link to the page of a token, for a page without other links. */
export function toToken(request: SectionRequest, id: number): Html {
  return html`<p><a href="${request.to(`tokens/${id}`)}">${request.text('frame.to_token')}</a></p>`;
}
