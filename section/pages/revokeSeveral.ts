import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import { leftOver } from '../../lib/tokens/tokenWarnings';
import { type Html, html } from '../html';
import type { PageHandler } from '../Page';
import { type SectionRequest, toTokens } from '../SectionRequest';
import { table } from '../table';
import { MAX_ROWS } from '../tokenTable';

/** Asks for confirmation before the tokens that were selected in the list are revoked. */
export const revokeSeveralPage: PageHandler = async (request) => {
  const selected = await tokensOf(request, request.query.getAll('id'));
  const active = selected.filter(({ state }) => state === 'active');
  const ended = selected.filter(({ state }) => state !== 'active');
  const title = request.text('revoke_several.title', { count: active.length });
  if (active.length === 0) {
    const problem = request.text(`revoke_several.${ended.length === 0 ? 'nothing' : 'all_ended'}`);
    return { title, problem, content: toTokens(request) };
  }
  const fields = active.map(
    ({ id }) => html`<input type="hidden" name="id" value="${id}">
`,
  );
  const left = await leftOvers(request, active);
  const form = html`${fields}<p class="actions"><button class="danger primary">${request.text('revoke_several.confirm', { count: active.length })}</button> <a href="${request.to('tokens')}">${request.text('revoke_several.cancel')}</a></p>`;
  return {
    title,
    content: html`<p class="lead">${request.text('revoke_several.lead')}</p>
<div class="narrow">${tokenNames(request, active)}</div>
${left.length === 0 ? null : html`<p class="notice warn">${request.text('revoke_several.left')} ${names(request, left)}</p>`}
${ended.length === 0 ? null : html`<p>${request.text('revoke_several.ended')} ${names(request, ended)}</p>`}
${await request.form('tokens/revoke', form)}`,
  };
};

/** The tokens that were rotated and whose replacements are all to be revoked. */
async function leftOvers(
  { installation: { tokens } }: SectionRequest,
  revoked: readonly TokenRecord[],
): Promise<readonly TokenRecord[]> {
  const ids = revoked.map(({ id }) => id);
  const lineages = new Set(revoked.map(({ lineage }) => lineage));
  const lines = await Promise.all([...lineages].map((lineage) => tokens.lineage(lineage)));
  return lines.flatMap((line) => leftOver(line, ids) ?? []);
}

/** Revokes the tokens one by one. If the form is sent again, the rest is revoked. */
export const revokeSeveral: PageHandler = async (request) => {
  const { fields } = await request.sent();
  const revoked: number[] = [];
  const ended: number[] = [];
  for (const { id, state } of await tokensOf(request, fields.getAll('id'))) {
    const after = state === 'active' ? await request.installation.tokens.revoke(id, request.author) : null;
    (after?.revokedBy === request.actor ? revoked : ended).push(id);
  }
  return { goTo: `tokens?revoked=${revoked.join()}&ended=${ended.join()}` };
};

/**
 * Says which of the tokens in the URL are revoked, and which had already ended. Another site may have created the URL,
 * so it only says what is true.
 */
export async function revokedNotice(request: SectionRequest): Promise<Html | null> {
  const { query, actor } = request;
  const idsIn = (name: string) => (query.get(name) ?? '').split(',');
  const [revoked, ended] = await Promise.all([
    tokensOf(request, idsIn('revoked')),
    tokensOf(request, idsIn('ended')),
  ]);
  const parts = [
    ['revoke_several.done', revoked.filter(({ revokedBy }) => revokedBy === actor)],
    ['revoke_several.done.ended', ended.filter(({ state }) => state !== 'active')],
  ] as const;
  const sentences = parts
    .filter(([, tokens]) => tokens.length > 0)
    .map(
      ([key, tokens]) =>
        html`<p>${request.words(key, { count: tokens.length, names: names(request, tokens) })}</p>`,
    );
  return sentences.length === 0 ? null : html`<div class="notice good" role="status">${sentences}</div>`;
}

/** The tokens with these ids, without those that do not exist. */
async function tokensOf(
  { installation }: SectionRequest,
  ids: readonly string[],
): Promise<readonly TokenRecord[]> {
  const valid = [...new Set(ids)].filter((id) => /^[1-9]\d{0,9}$/.test(id)).slice(0, MAX_ROWS);
  const found = await Promise.all(valid.map((id) => installation.tokens.get(Number(id))));
  return found.filter((token) => token !== null);
}

function tokenNames(request: SectionRequest, tokens: readonly TokenRecord[]): Html {
  return table<TokenRecord>(tokens, [
    [
      request.text('tokens.column.token'),
      (token) => html`${link(request, token)} <code>${token.prefix}…</code>`,
      'heading',
    ],
    [request.text('tokens.column.used'), ({ lastUsedAt }) => request.relative(lastUsedAt)],
  ]);
}

function names(request: SectionRequest, tokens: readonly TokenRecord[]): Html {
  return html`${tokens.map((token, index) => html`${index === 0 ? '' : ', '}${link(request, token)}`)}`;
}

function link(request: SectionRequest, { id, name }: TokenRecord): Html {
  return html`<a href="${request.to(`tokens/${id}`)}">${name}</a>`;
}
