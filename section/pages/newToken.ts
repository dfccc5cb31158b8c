import { clientAddress } from '../../lib/addresses/clientAddress';
import type { InvalidInput } from '../../lib/errors/InvalidInput';
import { servedOperations } from '../../lib/lists/served';
import { EVERY_SCOPE, type Operation, tags } from '../../lib/operations/Operation';
import { type Html, html } from '../html';
import type { Page, PageHandler } from '../Page';
import type { SectionRequest } from '../SectionRequest';
import { type TokenForm, tokenFormOf } from '../tokenForm';

/** The form of a new token, filled in from the URL: with a preset, or with the values typed before. */
export const newTokenPage: PageHandler = async (request) => {
  const form = await tokenFormOf(request);
  const served = await servedOperations(request.installation);
  const preset = presetsFor(served).find(({ name }) => name === request.query.get('preset'));
  return formPage(request, preset ? { ...form, scopes: preset.scopes } : form, served);
};

/** The form as it was submitted, with the reason why it was refused. */
export async function tokenFormPage(
  request: SectionRequest,
  form: TokenForm,
  wrong: InvalidInput,
): Promise<Page> {
  return formPage(request, form, await servedOperations(request.installation), wrong);
}

function formPage(
  request: SectionRequest,
  form: TokenForm,
  served: readonly Operation[],
  wrong?: InvalidInput,
): Page {
  const lacking = (scope: string) =>
    served.some((operation) => operation.scope === scope) ? null : ' This panel does not provide this data.';
  return {
    title: 'New token',
    problem: wrong?.message,
    hasNotices: true,
    content: html`<form method="get" action="${request.to('tokens/review')}" class="token-form" autocomplete="off">
<button hidden>Review</button>
<p class="field"><label for="name">Name</label>
<input id="name" name="name" value="${form.name}" maxlength="128" required autofocus aria-describedby="name-hint">
<small id="name-hint">Purpose of the token, such as the program that uses it.</small></p>
<fieldset><legend>What the token may read</legend>
<p class="presets"><span>Select the scopes for a common purpose:</span>
${presetsFor(served).map(({ name, title }) => html`<button name="preset" value="${name}" formaction="${request.to('tokens/new')}" formnovalidate>${title}</button> `)}</p>
${scopeBox(form, EVERY_SCOPE, html`<b>Everything</b> <code>${EVERY_SCOPE}</code> <small>Every scope below, and every scope that a later version adds.</small>`)}<div class="scope-groups">
${scopeGroups(request.installation.operations).map(
  ({ tag, scopes }) => html`<fieldset><legend>${tag}</legend>
${scopes.map(({ scope, sentence }) => scopeBox(form, scope, html`<code>${scope}</code> <small>${sentence}${lacking(scope)}</small>`))}</fieldset>
`,
)}</div></fieldset>
${expiryField(form)}
<details${form.account + form.addresses + form.rateLimit === '' ? null : html` open`}><summary>More restrictions</summary>
<p class="field"><label for="account">Only one account</label>
<input id="account" name="account" value="${form.account}" maxlength="128" aria-describedby="account-hint">
<small id="account-hint">Id of the account, as the API shows it. If empty, the token may read the data of all accounts.</small></p>
<p class="field"><label for="addresses">Only from these addresses</label>
<textarea id="addresses" name="addresses" rows="3" maxlength="4000" spellcheck="false" aria-describedby="addresses-hint">${form.addresses}</textarea>
<small id="addresses-hint">Addresses or networks, such as 192.0.2.7 or 2001:db8::/32, one per line. If empty, any address is allowed.
Your address as the panel sees it: <code>${clientAddress(request.ctx)}</code></small></p>
<p class="field"><label for="rate_limit">Requests per window</label>
<input id="rate_limit" name="rate_limit" value="${form.rateLimit}" inputmode="numeric" pattern="[0-9]*" maxlength="10" aria-describedby="rate-hint">
<small id="rate-hint">If empty, the limit of the settings applies.</small></p>
</details>
<p class="actions"><button class="primary">Review</button> <a href="${request.to('tokens')}">Cancel</a></p>
</form>`,
  };
}

function scopeBox({ scopes }: TokenForm, scope: string, text: Html): Html {
  return html`<p class="choice"><label><input type="checkbox" name="scope" value="${scope}"${scopes.includes(scope) ? html` checked` : null}>
<span>${text}</span></label></p>
`;
}

/** The expiries that the form offers, in days. */
const EXPIRIES = ['7', '30', '90', '365', 'never'];

function expiryField({ expiry }: TokenForm): Html {
  // The default of the settings may be another number.
  const values = EXPIRIES.includes(expiry) || !/^\d{1,5}$/.test(expiry) ? EXPIRIES : [expiry, ...EXPIRIES];
  return html`<fieldset class="expiry"><legend>Expires after</legend>
${values.map(
  (value) =>
    html`<label><input type="radio" name="expiry" value="${value}"${value === expiry ? html` checked` : null}>
${value === 'never' ? 'Never' : `${value} days`}</label>
`,
)}</fieldset>`;
}

/** The scopes of a token for a common purpose. A token for everything has no preset, but a checkbox. */
interface Preset {
  readonly name: string;
  readonly title: string;
  readonly scopes: readonly string[];
}

/** Part of every preset, because an integration first reads its own profile. */
const PROFILE = 'profile.read';

const PRESETS: readonly Preset[] = [
  {
    name: 'monitoring',
    title: 'Monitoring',
    scopes: ['services.read', 'ssl.read', 'jobs.read', 'cron.read', 'platform.read'],
  },
  {
    name: 'billing',
    title: 'Billing',
    scopes: ['accounts.read', 'domains.read', 'websites.read', 'email.read', 'databases.read'],
  },
  { name: 'backup-audit', title: 'Backup audit', scopes: ['backups.read', 'jobs.read', 'cron.read'] },
];

/** The presets for a panel with these endpoints, without the scopes of others. */
function presetsFor(served: readonly Operation[]): readonly Preset[] {
  const there = new Set(served.map(({ scope }) => scope));
  return PRESETS.map((preset) => ({ ...preset, scopes: preset.scopes.filter((scope) => there.has(scope)) }))
    .filter(({ scopes }) => scopes.length > 0)
    .map((preset) => ({ ...preset, scopes: [PROFILE, ...preset.scopes] }));
}

/** All scopes but the wildcard, grouped by the tag of the first operation that needs them. */
function scopeGroups(operations: readonly Operation[]) {
  const scopes = [...new Set(operations.map(({ scope }) => scope))].map((scope) => {
    const needing = operations.filter((operation) => operation.scope === scope);
    return { scope, tag: needing[0]?.tag, sentence: sentenceOf(needing) };
  });
  return Object.keys(tags)
    .map((tag) => ({ tag, scopes: scopes.filter((entry) => entry.tag === tag) }))
    .filter((group) => group.scopes.length > 0);
}

function sentenceOf(operations: readonly Operation[]): string {
  const [first, ...others] = operations;
  if (first && others.length === 0) return first.description;
  return `${operations.map(({ title }) => title).join('; ')}.`;
}
