import { DAY_SECONDS, dayOf, dayText } from '../../lib/time/time';
import { chosenDay } from '../expiryField';
import { wholeNumber } from '../field';
import { type Html, html } from '../html';
import { tokenAction } from '../tokenAction';

/** The field with the new expiry: seconds since 1970, a date, or never. */
const FIELD = 'expires_at';
const NEVER = 'never';

export const extendToken = tokenAction({
  name: 'extend',
  isFor: ({ state, expiresAt }) => state === 'active' && expiresAt !== null,
  // A button contains the time at which the token expires, not the days: a form that is sent twice extends once.
  async parts(request, { expiresAt, readAt }) {
    if (expiresAt === null) return null;
    const { longest } = await request.view.life();
    const last = longest === null ? Infinity : dayOf(readAt) + longest;
    const times = (seconds: number) => ({
      time: request.exact(seconds),
      relative: request.relative(seconds),
    });
    const choice = (value: number | string, words: string, hint: Html | string) =>
      html`<button name="${FIELD}" value="${value}"><b>${words}</b> <small>${hint}</small></button>`;
    const preset = (days: number) => {
      const until = expiresAt + days * DAY_SECONDS;
      const hint = request.words('extend.until', times(until));
      return dayOf(until) <= last && choice(until, request.text('extend.days', { count: days }), hint);
    };
    const never =
      longest === null && choice(NEVER, request.text('extend.never'), request.text('extend.never.hint'));
    const date = html`<span class="date"><label for="until"><b>${request.text('form.until')}</b></label> <input type="date" id="until" name="${FIELD}" min="${dayText(dayOf(expiresAt) + 1)}"${longest !== null && html` max="${dayText(last)}"`} aria-describedby="until-hint"></span>`;
    return {
      subtitle: request.words('extend.now', times(expiresAt)),
      content: html`<div class="expiries">${[30, 90, 365].map(preset)}${never}${date}</div>
<small id="until-hint">${request.text('form.until.hint')}</small>`,
    };
  },
  async act(request, { token: { id }, fields }) {
    // The value of the button stands before the date.
    const wanted = fields.getAll(FIELD).find(Boolean) ?? '';
    const seconds = wholeNumber(wanted);
    const expiresAt = wanted === NEVER ? null : Number.isNaN(seconds) ? chosenDay(wanted) : seconds;
    const wish = { expiresAt, version: Number(fields.get('version')) };
    const extended = await request.api.tokens.extend(id, wish, request.author);
    if (!extended) return null;
    const done = extended.expiresAt === null ? 'everlasting' : 'extended';
    const time = request.relativeAndExact(extended.expiresAt);
    return { goTo: `tokens/${id}`, done: request.words(`token.done.${done}`, { time }) };
  },
});
