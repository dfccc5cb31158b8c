import { dayOf, dayText } from '../lib/time/time';
import type { AtField } from './fieldProblems';
import { type Html, html } from './html';
import type { SectionRequest } from './SectionRequest';
import type { TokenForm } from './tokenForm';

/** The expiries that every form offers, in days. */
const EXPIRIES = [7, 30, 90, 365];

/**
 * The choices of an expiry as radio buttons, each with its day. `present` is the expiry of a token that exists, which
 * may be kept; `date` is what the field of a day has beside its value.
 */
export function expiryFields(
  request: SectionRequest,
  { expiry, expiryDate }: Pick<TokenForm, 'expiry' | 'expiryDate'>,
  { present, date }: { readonly present?: number | null | undefined; readonly date: AtField },
): Html {
  const today = dayOf(Date.now() / 1000);
  const choice = (
    value: string,
    words: string,
    more: Html | null = null,
  ) => html`<p class="choice"><label><input type="radio" name="expiry" value="${value}"${value === expiry ? html` checked` : null}>
<span>${words} ${more && html`<small>${more}</small>`}</span></label></p>
`;
  const days = daysOffered(expiry).map((count) =>
    choice(
      String(count),
      request.text('form.expiry.days', { count }),
      html`${request.day(dayText(today + count), { year: 'numeric' })}`,
    ),
  );
  return html`${present === undefined ? null : choice('keep', request.text('form.expiry.keep'), request.exact(present))}${days}${choice('never', request.text('form.expiry.never'))}${choice('date', request.text('form.expiry.date'))}<p class="field expiry-date"><label for="expiry_date">${request.text('form.expiry.day')}</label>
<input type="date" id="expiry_date" name="expiry_date" value="${expiryDate}" min="${dayText(today)}" max="9999-12-31"${date.attributes}>
${date.sentence}<small id="expiry_date-hint">${request.text('form.expiry.date.hint')}</small></p>`;
}

/** The default of the settings may be another number of days. */
function daysOffered(expiry: string): readonly number[] {
  const days = /^[1-9]\d{0,4}$/.test(expiry) ? [Number(expiry)] : [];
  return [...new Set([...EXPIRIES, ...days])].toSorted((a, b) => a - b);
}
