import type { TokenRecord } from '../lib/tokens/TokenRecord';
import { type Html, html } from './html';
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
    .filter(({ action }) => action === 'token.changed' || action === 'token.extended')
    .slice(0, Math.max(0, token.version - version));
  return html`${changes.map(
    ({
      actor,
      at,
      details,
    }) => html`<div class="notice warn"><p>${request.words('edit.stale.by', { person: actor, time: request.relative(at) })}</p>
${changeTable(request, differencesIn(details))}</div>
`,
  )}`;
}
