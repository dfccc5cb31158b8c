import type { InvalidInput } from '../../lib/errors/InvalidInput';
import { servedOperations } from '../../lib/openapi/servedReport';
import { EVERY_SCOPE, type OperationFacts } from '../../lib/operations/OperationFacts';
import { clientAddress } from '../../middleware/clientAddress';
import { type Html, html } from '../html/html';
import type { Page, PageHandler } from '../Page';
import type { Visit } from '../Visit';
import { presetsFor } from './presets';
import { type ScopeEntry, scopeGroups } from './scopeGroups';
import { EXPIRY_DAYS, readTokenForm, type TokenForm } from './TokenForm';

/** The form of a new token, filled with what its address says: a preset, or what was typed before. */
export const newTokenPage: PageHandler = async (visit) => {
  const form = readTokenForm(visit.query, await defaultExpiry(visit));
  const served = await servedOperations(visit.installation);
  const preset = presetsFor(served).find(({ name }) => name === visit.query.get('preset'));
  return formPage(visit, preset ? { ...form, scopes: preset.scopes } : form, served);
};

/** The form as it was filled in, with why it was refused. */
export async function tokenFormPage(visit: Visit, form: TokenForm, wrong: InvalidInput): Promise<Page> {
  return formPage(visit, form, await servedOperations(visit.installation), wrong);
}

/** The value of the expiry that is chosen unless the administrator chooses another. */
export async function defaultExpiry({ installation }: Visit): Promise<string> {
  return String((await installation.settings.get('defaultExpiryDays')) ?? 'never');
}

function formPage(
  visit: Visit,
  form: TokenForm,
  served: readonly OperationFacts[],
  wrong?: InvalidInput,
): Page {
  return {
    status: wrong ? 400 : 200,
    title: 'New token',
    hasNotices: true,
    content: html`${problem(wrong)}
<form method="get" action="${visit.to('tokens/review')}" class="token-form" autocomplete="off">
<button hidden>Review</button>
<p class="field"><label for="name">Name</label>
<input id="name" name="name" value="${form.name}" maxlength="128" required autofocus aria-describedby="name-hint">
<small id="name-hint">What it is for, such as the program that will use it.</small></p>
<fieldset><legend>What it may read</legend>
<p class="presets"><span>Tick the boxes for a common purpose:</span>
${presetsFor(served).map(({ name, title }) => html`<button name="preset" value="${name}" formaction="${visit.to('tokens/new')}" formnovalidate>${title}</button> `)}</p>
${everything(form)}
<div class="scope-groups">
${scopeGroups(visit.installation.operations).map(
  ({ area, scopes }) => html`<fieldset><legend>${area}</legend>
${scopes.map((entry) => scopeBox(entry, served, form))}</fieldset>
`,
)}</div></fieldset>
${expiryField(form)}
<details${form.account + form.addresses + form.rateLimit === '' ? null : html` open`}><summary>Narrow it down further</summary>
<p class="field"><label for="account">Only one account</label>
<input id="account" name="account" value="${form.account}" maxlength="128" aria-describedby="account-hint">
<small id="account-hint">The id of an account as the API shows it. Left empty, it reads of all accounts.</small></p>
<p class="field"><label for="addresses">Only from these addresses</label>
<textarea id="addresses" name="addresses" rows="3" maxlength="4000" spellcheck="false" aria-describedby="addresses-hint">${form.addresses}</textarea>
<small id="addresses-hint">Single ones or networks, such as 192.0.2.7 or 2001:db8::/32, one on each line. Left empty, from anywhere.
Your address as the panel sees it: <code>${clientAddress(visit.ctx)}</code></small></p>
<p class="field"><label for="rate_limit">Requests in one window</label>
<input id="rate_limit" name="rate_limit" value="${form.rateLimit}" inputmode="numeric" pattern="[0-9]*" maxlength="10" aria-describedby="rate-hint">
<small id="rate-hint">Left empty, as many as the settings say.</small></p>
</details>
<p class="actions"><button class="primary">Review</button> <a href="${visit.to('tokens')}">Cancel</a></p>
</form>`,
  };
}

function problem(wrong: InvalidInput | undefined): Html | null {
  return wrong ? html`<p class="problem" role="alert">${wrong.message}</p>` : null;
}

function everything({ scopes }: TokenForm): Html {
  const checked = scopes.includes(EVERY_SCOPE) ? html` checked` : null;
  return html`<p class="choice"><label><input type="checkbox" name="scope" value="${EVERY_SCOPE}"${checked}>
<span><b>Everything</b> <code>${EVERY_SCOPE}</code> <small>All of the below, and whatever a later version adds.</small></span></label></p>`;
}

function scopeBox(
  { scope, sentence }: ScopeEntry,
  served: readonly OperationFacts[],
  { scopes }: TokenForm,
): Html {
  const checked = scopes.includes(scope) ? html` checked` : null;
  const lacking = served.some((operation) => operation.scope === scope)
    ? ''
    : ' This panel has no such data.';
  return html`<p class="choice"><label><input type="checkbox" name="scope" value="${scope}"${checked}>
<span><code>${scope}</code> <small>${sentence}${lacking}</small></span></label></p>
`;
}

function expiryField({ expiry }: TokenForm): Html {
  const offered = EXPIRY_DAYS.map((days) => (days === null ? 'never' : String(days)));
  // The settings may name a number of days of their own.
  const values = offered.includes(expiry) || !/^\d{1,5}$/.test(expiry) ? offered : [expiry, ...offered];
  return html`<fieldset class="expiry"><legend>How long it is good for</legend>
${values.map(
  (
    value,
  ) => html`<label><input type="radio" name="expiry" value="${value}"${value === expiry ? html` checked` : null}>
${value === 'never' ? 'Until it is revoked' : `${value} days`}</label>
`,
)}</fieldset>`;
}
