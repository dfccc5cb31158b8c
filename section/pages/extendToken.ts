import { InvalidInput } from '../../lib/errors/InvalidInput';
import { DAY_SECONDS, dayOf, dayText } from '../../lib/time/time';
import { StaleToken } from '../../lib/tokens/changeToken';
import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import { chosenDay } from '../expiryField';
import { type Html, html } from '../html';
import type { Page, PageHandler } from '../Page';
import { SectionFailure } from '../SectionFailure';
import type { SectionRequest } from '../SectionRequest';
import { changesSince, endedPage, hasEnded, toToken } from '../staleEdit';
import { donePath } from '../tokenDone';
import { requestedToken } from './token';

/** Offers later expiries: one click extends the token. */
export const extendTokenPage: PageHandler = async (request) => {
  const token = await requestedToken(request);
  if (token.state !== 'active' || token.expiresAt === null) return { goTo: `tokens/${token.id}` };
  return extendForm(request, token);
};

export const extendToken: PageHandler = async (request) => {
  const { fields } = await request.sent();
  const token = await requestedToken(request);
  const wanted = fields.get(FIELD) ?? '';
  const version = Number(fields.get('version'));
  try {
    const expiresAt =
      wanted === NEVER ? null : /^\d{1,12}$/.test(wanted) ? Number(wanted) : chosenDay(wanted);
    const extended = await request.installation.tokens.extend(
      token.id,
      { expiresAt, version },
      request.author,
    );
    if (!extended) throw new SectionFailure('not_found');
    return { goTo: donePath(token.id, 'extended') };
  } catch (error) {
    if (error instanceof StaleToken) return staleForm(request, error.current, version);
    if (hasEnded(error)) return endedPage(request, token, 'extend');
    if (error instanceof InvalidInput)
      return { ...(await extendForm(request, { ...token, version })), problem: request.invalid(error) };
    throw error;
  }
};

/** The field with the new expiry: seconds since 1970, a date, or never. */
const FIELD = 'expires_at';
const NEVER = 'never';
const DAYS = [30, 90, 365];

// A button contains the time at which the token expires, not the days: a form that is sent twice extends once.
async function extendForm(request: SectionRequest, token: TokenRecord): Promise<Page> {
  const { id, name, expiresAt, version } = token;
  const title = request.text('extend.title', { name });
  if (expiresAt === null) return { title, content: toToken(request, id) };
  const choice = (
    value: number | string,
    words: string,
    hint: Html | string,
  ) => html`<button name="${FIELD}" value="${value}">${words}</button><small>${hint}</small>
`;
  const presets = DAYS.map((days) => {
    const until = expiresAt + days * DAY_SECONDS;
    return choice(
      until,
      request.text('extend.days', { count: days }),
      request.words('extend.until', { time: request.exact(until), relative: request.relative(until) }),
    );
  });
  const never = choice(NEVER, request.text('extend.never'), request.text('extend.never.hint'));
  const date = html`<p class="field"><label for="until">${request.text('extend.date')}</label>
<span class="actions"><input id="until" name="${FIELD}" type="date" required min="${dayText(dayOf(expiresAt) + 1)}" aria-describedby="until-hint"> <button>${request.text('extend.submit')}</button></span>
<small id="until-hint">${request.text('extend.date.hint')}</small></p>`;
  const form = (content: Html) =>
    request.form(
      `tokens/${id}/extend`,
      html`<input type="hidden" name="version" value="${version}">
${content}`,
    );
  return {
    title,
    subtitle: request.words('extend.now', {
      time: request.exact(expiresAt),
      relative: request.relative(expiresAt),
    }),
    content: html`${await form(html`<div class="extensions">${presets}${never}</div>`)}
${await form(date)}
<p><a href="${request.to(`tokens/${id}`)}">${request.text('extend.cancel')}</a></p>`,
  };
}

/** The forms for the token as it is now, if it was changed since the page was opened with this version. */
async function staleForm(request: SectionRequest, current: TokenRecord, version: number): Promise<Page> {
  const page = await extendForm(request, current);
  return {
    ...page,
    problem: request.text('extend.stale'),
    status: 409,
    content: html`${await changesSince(request, current, version)}${page.content}`,
  };
}
