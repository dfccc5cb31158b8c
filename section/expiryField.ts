import { InvalidInput } from '../lib/errors/InvalidInput';
import { DAY_SECONDS, dayOf, dayText, endOfDay } from '../lib/time/time';
import type { Expiry, TokenRecord } from '../lib/tokens/TokenRecord';
import { type FieldProblems, problemAt, radio, wholeNumber } from './field';
import { type Html, html, type Part } from './html';
import type { SectionRequest } from './SectionRequest';

/**
 * `expiry` is days from now as text, or `never`, `date` or `keep`; `expiry_date` is the date, such as `2026-06-12`, and
 * empty if none was typed.
 */
type ExpiryForm = Readonly<Record<'expiry' | 'expiry_date', string>>;

/**
 * The choice of an expiry, each with its day: that of `token`, days from now, never, or a date. Without those that are
 * beyond the longest life.
 */
export async function expiryField(
  request: SectionRequest,
  { expiry, expiry_date }: ExpiryForm,
  legend: Part,
  token: Pick<TokenRecord, 'expiresAt'> | undefined,
  problems: FieldProblems = [],
): Promise<Html> {
  const { longest } = await request.view.life();
  const today = dayOf(Date.now() / 1000);
  const [group, date] = [problemAt(problems, 'expiry'), problemAt(problems, 'expiry_date', 'expiry-hint')];
  const choice = radio.bind(null, 'expiry');
  const inDays = (days: number) => {
    const words = request.text('expiry.days', { count: days });
    return choice(days, expiry, html`${words} <small>${dayText(today + days)}</small>`);
  };
  const choices = [
    token &&
      choice(
        'keep',
        expiry,
        html`${request.words('expiry.keep', { time: request.relative(token.expiresAt) })} ${token.expiresAt !== null && html`<small>${dayText(dayOf(token.expiresAt))}</small>`}`,
      ),
    daysOffered(expiry)
      .filter((days) => days <= (longest ?? days))
      .map(inDays),
    longest === null && choice('never', expiry, request.text('expiry.never')),
  ];
  return html`<fieldset data-expiry id="expiry" role="radiogroup" aria-labelledby="expiry-legend"${group.attributes}><legend id="expiry-legend">${legend}</legend>
${group.sentence}<div class="expiries">${choices}<span class="date">${choice('date', expiry, request.text('expiry.date'))}<input type="date" id="expiry_date" name="expiry_date" value="${expiry_date}" min="${dayText(today)}" max="${longest === null ? '9999-12-31' : dayText(today + longest)}" aria-label="${request.text('expiry.date.label')}"${date.attributes}></span></div>
${date.sentence}<small id="expiry-hint">${request.text('expiry.hint')}</small></fieldset>`;
}

/** The days that every form offers, and those of the default of the settings. */
function daysOffered(expiry: string): readonly number[] {
  const chosen = /^[1-9]\d{0,4}$/.test(expiry) ? [Number(expiry)] : [];
  return [...new Set([7, 30, 90, 365, ...chosen])].toSorted((a, b) => a - b);
}

/** How long the token was to live, in days; null if a rotation has ended it early. */
export function lifetimeOf({ createdAt, expiresAt, rotatedAt }: TokenRecord): string | null {
  if (expiresAt === null) return 'never';
  if (rotatedAt !== null) return null;
  return String(Math.max(1, Math.round((expiresAt - createdAt) / DAY_SECONDS)));
}

/** The chosen expiry; none to keep the present one. Throws InvalidInput for an invalid choice. */
export function chosenExpiry({ expiry, expiry_date }: ExpiryForm): Expiry {
  // Without JavaScript, a typed date does not select its own choice.
  if (expiry_date !== '' || expiry === 'date') return { expiresAt: chosenDay(expiry_date) };
  if (expiry === 'keep') return {};
  if (expiry === 'never') return { expiresAt: null };
  return { expiresInSeconds: wholeNumber(expiry) * DAY_SECONDS };
}

/** The end of a day such as `2026-06-12`, in UTC. Throws InvalidInput for anything else. */
export function chosenDay(day: string): number {
  const end = endOfDay(day);
  if (end === null)
    throw new InvalidInput('date', 'The date of the expiry must be a day such as 2026-06-12.');
  return end;
}
