import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import { leftOver } from '../../lib/tokens/tokenWarnings';
import { code, type Html, html, listed } from '../html';
import type { PageHandler } from '../Page';
import { SectionFailure } from '../SectionFailure';
import { ifReadable, type SectionRequest, wayOut } from '../SectionRequest';
import { type Column, table } from '../table';
import { requestedToken } from '../tokenAction';
import { lastUse } from '../tokenFacts';
import { MAX_ROWS } from '../tokenTable';
import { useNotice } from '../tokenUse';

export const revokePage: PageHandler = async (request) => {
  const { back, active, ended } = await askedTokens(request, request.query);
  const [first] = active;
  if (!first) {
    if (back !== 'tokens') return { goTo: back };
    const problem = request.text(ended.length === 0 ? 'revoke.nothing' : 'revoke.all_ended');
    return { title: request.text('revoke.title', { count: 0 }), problem, content: wayOut(request) };
  }
  const count = active.length;
  const ids = active.map(({ id }) => id);
  const { left, valid } = await othersOf(request, active);
  const requests = await ifReadable(request, request.api.usage.today(ids));
  const today = ({ id }: TokenRecord) => requests?.get(id) ?? 0;
  const sorted = active.toSorted((one, other) => today(other) - today(one));
  const link = ({ id, name }: TokenRecord) =>
    html`${request.link(`tokens/${id}`, name)} <small>#${id}</small>`;
  const nameOf = (token: TokenRecord) => html`${link(token)} ${code(`${token.prefix}…`)}`;
  const use: readonly Column<TokenRecord>[] = [
    ['token.used', (token) => lastUse(request, token)],
    ['revoke.today', (token) => request.number(today(token)), 'number'],
  ];
  const seesUse = requests !== null && active.every((token) => request.view.seesUse(token));
  const shownUse = seesUse ? use : [];
  const used = active.filter((token) => today(token) > 0).length;
  const hasUsed = seesUse && used > 0 && count > 1;
  const tokens = table(request, sorted, [['tokens.column.token', nameOf, 'heading'], ...shownUse]);
  const about = (key: 'left' | 'valid' | 'ended', some: readonly Html[]) =>
    some.length > 0 &&
    html`<p${key === 'left' && html` class="notice warn"`}>${request.text(`revoke.${key}`, { count: some.length })} ${listed(some)}</p>`;
  const ending = (token: TokenRecord) => html`${link(token)} (${request.relative(token.expiresAt)})`;
  const content = html`${count === 1 && (await useNotice(request, first))}${tokens}${about('left', left.map(ending))}${about('valid', valid.map(link))}${about('ended', ended.map(link))}`;
  return {
    title:
      count === 1
        ? request.text('revoke.title.one', { name: first.name })
        : request.text('revoke.title', { count }),
    subtitle: html`${request.text('revoke.lead', { count })}`,
    content: await request.form(request.path.slice(1), content, {
      fields: ids.map((id) => ['id', id]),
      submit: hasUsed
        ? request.text('revoke.submit.used', { count: used, total: count })
        : request.text('revoke.submit', { count }),
      isDanger: true,
      more: request.link(back, request.text('form.cancel')),
    }),
  };
};

/** Revokes the tokens one by one. If the form is sent again, the rest is revoked. */
export const revokeTokens: PageHandler = async (request) => {
  const { fields } = await request.sent();
  const { back, active, ended } = await askedTokens(request, fields);
  const revoked: TokenRecord[] = [];
  for (const token of active) {
    const after = await request.api.tokens.revoke(token.id, request.author);
    // A customer is not told who revoked it.
    const person = after?.revokedBy ?? request.actor;
    if (after) (person === request.actor ? revoked : ended).push(token);
  }
  const sentence = (key: 'revoke.done' | 'revoke.done.ended', some: readonly TokenRecord[]) => {
    const names = some.map(({ name }) => name).join(', ');
    return some.length > 0 && html`<p>${request.text(key, { count: some.length, names })}</p>`;
  };
  return {
    goTo: back,
    done: html`${sentence('revoke.done', revoked)}${sentence('revoke.done.ended', ended)}`,
  };
};

/** The tokens that are asked about, and the page they are on: of the one in the path, or of the list they are chosen in. */
async function askedTokens(request: SectionRequest, given: URLSearchParams) {
  const { view } = request;
  const isOne = !request.path.startsWith('/tokens/revoke');
  const ids = [...new Set(given.getAll('id'))].filter((id) => /^[1-9]\d{0,9}$/.test(id)).slice(0, MAX_ROWS);
  const found = isOne ? [requestedToken(request)] : ids.map((id) => view.get(Number(id)));
  const asked = (await Promise.all(found)).filter((token) => token !== null);
  if (!asked.every((token) => view.may('revoke', token))) throw new SectionFailure('not_found');
  // An expired one can be revoked too, on its own page.
  const isRevocable = ({ state }: TokenRecord) => state === 'active' || (isOne && state === 'expired');
  return {
    back: isOne ? `tokens/${asked[0]?.id}` : 'tokens',
    active: asked.filter(isRevocable),
    ended: asked.filter((token) => !isRevocable(token)),
  };
}

/** The other active tokens of their lines: those that were rotated and lose their replacements, and those that stay valid. */
async function othersOf({ view }: SectionRequest, revoked: readonly TokenRecord[]) {
  const ids = revoked.map(({ id }) => id);
  const ofLines = new Map(revoked.map((token) => [token.lineage, token]));
  const lines = await Promise.all([...ofLines.values()].map((token) => view.lineage(token)));
  const left = lines.flatMap((line) => leftOver(line, ids) ?? []);
  const others = lines.flat().filter(({ id, state }) => state === 'active' && !ids.includes(id));
  return { left, valid: others.filter(({ lineage }) => left.every((one) => one.lineage !== lineage)) };
}
