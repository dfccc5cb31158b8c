import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import { leftOver } from '../../lib/tokens/tokenWarnings';
import { code, type Html, html, listed } from '../html';
import type { PageHandler } from '../Page';
import { type SectionRequest, wayOut } from '../SectionRequest';
import { table } from '../table';
import { tokenAction } from '../tokenAction';
import { goToDone } from '../tokenChanges';
import { lastUse, validSibling } from '../tokenFacts';
import { MAX_ROWS } from '../tokenTable';

/** Asks for confirmation before a token is permanently revoked. */
export const revokeToken = tokenAction({
  name: 'revoke',
  isFor: ({ state }) => state !== 'revoked',
  isDanger: true,
  async parts(request, token) {
    const { tokens, usage } = request.installation;
    const { id, prefix } = token;
    const [lineage, counts] = await Promise.all([tokens.lineage(id), usage.today([id])]);
    const today = counts.get(id) ?? 0;
    const sibling = validSibling(request, token, lineage);
    // An old token that was rotated stays valid only until its grace is over.
    const left = leftOver(lineage, [id]);
    return {
      content: html`<p>${request.words('revoke.hint', { token: code(`${prefix}…`) })}</p>
<p>${lastUse(request, token)} ${today > 0 && request.text('revoke.today', { count: today })}</p>
${sibling && !left && html`<p>${request.words('revoke.sibling', { token: sibling })}</p>`}
${left && html`<p class="notice warn">${request.words('revoke.left', { token: sibling, time: request.relativeAndExact(left.expiresAt) })}</p>`}`,
    };
  },
  async act({ installation: { tokens }, author }, { token: { id } }) {
    await tokens.revoke(id, author);
    return goToDone(id, 'revoked');
  },
});

/** Asks for confirmation before the tokens that were selected in the list are revoked. */
export const revokeSeveralPage: PageHandler = async (request) => {
  const selected = await tokensOf(request, request.query.getAll('id'));
  const active = selected.filter(({ state }) => state === 'active');
  const ended = selected.filter(({ state }) => state !== 'active');
  const title = request.text('revoke_several.title', { count: active.length });
  if (active.length === 0) {
    const problem = request.text(`revoke_several.${ended.length === 0 ? 'nothing' : 'all_ended'}`);
    return { title, problem, content: wayOut(request) };
  }
  const left = await leftOvers(request, active);
  const names = table(active, [
    [
      request.text('tokens.column.token'),
      (token) => html`${nameOf(request, token)} ${code(`${token.prefix}…`)}`,
      'heading',
    ],
    [request.text('token.used'), ({ lastUsedAt }) => request.relative(lastUsedAt)],
  ]);
  const content = html`${names}
${left.length > 0 && html`<p class="notice warn">${request.text('revoke_several.left')} ${namesOf(request, left)}</p>`}
${ended.length > 0 && html`<p>${request.text('revoke_several.ended')} ${namesOf(request, ended)}</p>`}`;
  return {
    title,
    subtitle: html`${request.text('revoke_several.lead')}`,
    content: await request.form('tokens/revoke', content, {
      fields: active.map(({ id }) => ['id', id]),
      submit: request.text('revoke_several.confirm', { count: active.length }),
      isDanger: true,
      more: request.link('tokens', request.text('form.cancel')),
    }),
  };
};

/** The tokens that were rotated and whose replacements are all to be revoked. */
async function leftOvers({ installation: { tokens } }: SectionRequest, revoked: readonly TokenRecord[]) {
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
  const named = (name: string) => tokensOf(request, (query.get(name) ?? '').split(','));
  const [revoked, ended] = await Promise.all([named('revoked'), named('ended')]);
  const sentence = (
    key: 'revoke_several.done' | 'revoke_several.done.ended',
    tokens: readonly TokenRecord[],
  ) => {
    const values = { count: tokens.length, names: namesOf(request, tokens) };
    return tokens.length > 0 && html`<p>${request.words(key, values)}</p>`;
  };
  const sentences = [
    sentence(
      'revoke_several.done',
      revoked.filter(({ revokedBy }) => revokedBy === actor),
    ),
    sentence(
      'revoke_several.done.ended',
      ended.filter(({ state }) => state !== 'active'),
    ),
  ];
  return sentences.some(Boolean) ? html`<div class="notice good" role="status">${sentences}</div>` : null;
}

/** The tokens with these ids, without those that do not exist. */
async function tokensOf({ installation }: SectionRequest, ids: readonly string[]) {
  const valid = [...new Set(ids)].filter((id) => /^[1-9]\d{0,9}$/.test(id)).slice(0, MAX_ROWS);
  const found = await Promise.all(valid.map((id) => installation.tokens.get(Number(id))));
  return found.filter((token) => token !== null);
}

function namesOf(request: SectionRequest, tokens: readonly TokenRecord[]): Html {
  return listed(tokens.map((token) => nameOf(request, token)));
}

function nameOf(request: SectionRequest, { id, name }: TokenRecord): Html {
  return request.link(`tokens/${id}`, name);
}
