import { DAY_SECONDS, dayOf, dayText } from '../../lib/time/time';
import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import { chosenDay } from '../expiryField';
import { field, wholeNumber } from '../field';
import { type Html, html } from '../html';
import type { Page } from '../Page';
import { type SectionRequest, wayOut } from '../SectionRequest';
import { tokenAction } from '../tokenAction';
import { goToDone } from '../tokenChanges';

/** The field with the new expiry: seconds since 1970, a date, or never. */
const FIELD = 'expires_at';
const NEVER = 'never';

/** Offers later expiries: one click extends the token. */
export const extendToken = tokenAction({
  name: 'extend',
  isFor: ({ expiresAt }) => expiresAt !== null,
  form: extendForm,
  async act({ installation: { tokens }, author }, { token: { id }, fields }) {
    const wanted = fields.get(FIELD) ?? '';
    const seconds = wholeNumber(wanted);
    const expiresAt = wanted === NEVER ? null : Number.isNaN(seconds) ? chosenDay(wanted) : seconds;
    const extended = await tokens.extend(id, { expiresAt, version: Number(fields.get('version')) }, author);
    return extended && goToDone(id, 'extended');
  },
});

// A button contains the time at which the token expires, not the days: a form that is sent twice extends once.
async function extendForm(request: SectionRequest, token: TokenRecord): Promise<Page> {
  const { id, name, expiresAt, version } = token;
  const title = request.text('extend.title', { name });
  if (expiresAt === null) return { title, content: wayOut(request, id) };
  const { longest } = await request.installation.settings.tokenLife();
  const last = longest === null ? Infinity : dayOf(token.readAt) + longest;
  const times = (seconds: number) => ({ time: request.exact(seconds), relative: request.relative(seconds) });
  const choice = (value: number | string, words: string, hint: Html | string) =>
    html`<button name="${FIELD}" value="${value}">${words}</button><small>${hint}</small>
`;
  const presets = [30, 90, 365].map((days) => {
    const until = expiresAt + days * DAY_SECONDS;
    if (dayOf(until) > last) return null;
    return choice(
      until,
      request.text('extend.days', { count: days }),
      request.words('extend.until', times(until)),
    );
  });
  const never =
    longest === null && choice(NEVER, request.text('extend.never'), request.text('extend.never.hint'));
  const date = field('until', {
    label: request.text('extend.date'),
    hint: request.text('extend.date.hint'),
    name: FIELD,
    attributes: html` type="date" required min="${dayText(dayOf(expiresAt) + 1)}"${longest !== null && html` max="${dayText(last)}"`}`,
    beside: html` <button>${request.text('extend.submit')}</button>`,
  });
  const form = (content: Html) =>
    request.form(`tokens/${id}/extend`, content, { fields: [['version', version]] });
  return {
    title,
    subtitle: request.words('extend.now', times(expiresAt)),
    content: html`${await form(html`<div class="extensions">${presets}${never}</div>`)}
${await form(date)}
<p>${request.link(`tokens/${id}`, request.text('form.cancel'))}</p>`,
  };
}
