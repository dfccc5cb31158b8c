import type { AuditAction, AuditEntry } from '../lib/audit/AuditLog';
import type { TokenRecord } from '../lib/tokens/TokenRecord';
import { leftOver } from '../lib/tokens/tokenWarnings';
import { type Html, html } from './html';
import type { SectionRequest } from './SectionRequest';
import { changeTable, differencesIn } from './tokenChanges';
import { lastUse, shownTwice } from './tokenFacts';

/** What was done to a token, in the URL of its page, with the audit entry that proves it. */
const DONE = {
  changed: 'token.changed',
  extended: 'token.extended',
  revoked: 'token.revoked',
  unchanged: null,
} as const satisfies Readonly<Record<string, AuditAction | null>>;

type Done = keyof typeof DONE;

/** The path of a token's page that says what was done to it. */
export function donePath(id: number, done: Done): string {
  return `tokens/${id}?done=${done}`;
}

/**
 * Says what was done to the token, if its newest audit entry shows that this administrator did it: another site may
 * have created the URL.
 */
export function doneNotice(
  request: SectionRequest,
  token: TokenRecord,
  newest: AuditEntry | undefined,
): Html | null {
  const done = request.query.get('done') ?? '';
  if (!Object.hasOwn(DONE, done)) return null;
  const action = DONE[done as Done];
  if (action !== null && !(newest?.action === action && newest.actor === request.actor)) return null;
  const changes = done === 'changed' && newest ? changeTable(request, differencesIn(newest.details)) : null;
  return html`<div class="notice good" role="status">${doneWords(request, token, done as Done)}${changes}</div>`;
}

function doneWords(request: SectionRequest, token: TokenRecord, done: Done): Html {
  if (done === 'revoked') return request.words('token.done.revoked', { use: lastUse(request, token) });
  if (done !== 'extended') return request.words(`token.done.${done}`);
  if (token.expiresAt === null) return request.words('token.done.everlasting');
  return request.words('token.done.extended', { time: shownTwice(request, token.expiresAt) });
}

/** Names the token of the lineage that is still valid, if this one has ended, or says that this one is the last. */
export function siblingNotice(
  request: SectionRequest,
  token: TokenRecord,
  lineage: readonly TokenRecord[],
): Html | null {
  if (leftOver(lineage)?.id === token.id) {
    const time = shownTwice(request, token.expiresAt);
    return html`<p class="notice warn">${request.words('token.left', { time })}</p>`;
  }
  if (token.state === 'active') return null;
  const sibling = validSibling(request, token, lineage);
  return sibling && html`<p>${request.words('token.sibling', { token: sibling })}</p>`;
}

/** The link to the newest other token of the lineage that is valid; null if there is none. */
export function validSibling(
  request: SectionRequest,
  token: TokenRecord,
  lineage: readonly TokenRecord[],
): Html | null {
  const sibling = lineage.find(({ id, state }) => id !== token.id && state === 'active');
  return sibling ? html`<a href="${request.to(`tokens/${sibling.id}`)}">#${sibling.id}</a>` : null;
}
