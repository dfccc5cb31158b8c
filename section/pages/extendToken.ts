import { InvalidInput } from '../../lib/errors/InvalidInput';
import { DAY_SECONDS, dayOf, dayText } from '../../lib/time/time';
import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import { endOfDay } from '../expiryField';
import { type Html, html } from '../html';
import type { Page, PageHandler } from '../Page';
import { SectionFailure } from '../SectionFailure';
import type { SectionRequest } from '../SectionRequest';
import { donePath } from '../tokenDone';
import { requestedToken } from './token';

/** Offers later expiries: one click extends the token. */
export const extendTokenPage: PageHandler = async (request) => {
  const token = await requestedToken(request);
  return extendForm(request, token);
};

export const extendToken: PageHandler = async (request) => {
  const { fields } = await request.sent();
  const token = await requestedToken(request);
  const wanted = fields.get(FIELD) ?? '';
  try {
    const expiresAt = wanted === NEVER ? null : /^\d{1,12}$/.test(wanted) ? Number(wanted) : endOfDay(wanted);
    const extended = await request.installation.tokens.extend(token.id, { expiresAt }, request.author);
    if (!extended) throw new SectionFailure('not_found');
    return { goTo: donePath(token.id, 'extended') };
  } catch (error) {
    if (error instanceof InvalidInput) return extendForm(request, token, error);
    throw error;
  }
};

/** The field with the new expiry: seconds since 1970, a date, or never. */
const FIELD = 'expires_at';
const NEVER = 'never';
const DAYS = [30, 90, 365];

// A button contains the time at which the token expires, not the days: a form that is sent twice extends once.
async function extendForm(
  request: SectionRequest,
  { id, name, state, expiresAt }: TokenRecord,
  wrong?: InvalidInput,
): Promise<Page | { readonly goTo: string }> {
  if (state !== 'active' || expiresAt === null) return { goTo: `tokens/${id}` };
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
  return {
    title: request.text('extend.title', { name }),
    subtitle: request.words('extend.now', {
      time: request.exact(expiresAt),
      relative: request.relative(expiresAt),
    }),
    problem: wrong && request.invalid(wrong),
    content: html`${await request.form(`tokens/${id}/extend`, html`<div class="extensions">${presets}${never}</div>`)}
${await request.form(`tokens/${id}/extend`, date)}
<p><a href="${request.to(`tokens/${id}`)}">${request.text('extend.cancel')}</a></p>`,
  };
}
