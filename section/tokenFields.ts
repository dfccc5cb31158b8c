import { clientAddress } from '../lib/addresses/requestOrigin';
import { EVERY_SCOPE, type Operation, type Tag, tags } from '../lib/fields/Operation';
import type { AccessPreview } from '../lib/lists/previewAccess';
import { bindingTo, type TokenRecord } from '../lib/tokens/TokenRecord';
import { operations } from '../routes';
import { accountField, type Findings } from './accounts';
import { expiryField } from './expiryField';
import { type FieldProblems, field, problemAt } from './field';
import { code, type Html, html } from './html';
import type { SectionRequest } from './SectionRequest';
import type { TextKey } from './texts';
import { PROFILE_SCOPE, scopeTitle } from './tokenFacts';
import type { TokenForm } from './tokenForm';
import { COUNT_MS } from './tokenSummary';

/** The fields of a form that is sent to the path `action`, see `adjustedForm`; the expiry of `token` can be kept. */
export async function tokenFields(
  request: SectionRequest,
  form: TokenForm,
  { action, token, ...found }: Findings & { readonly action: string; readonly token?: TokenRecord },
): Promise<Html> {
  const { problems } = found;
  const isRestricted = form.note + form.account + form.addresses + form.rate_limit !== '';
  const note = { text: form.note, attributes: html` rows="2" maxlength="500"` };
  const limit = html` value="${form.rate_limit}" inputmode="numeric" pattern="[0-9]*" size="10" maxlength="10"`;
  return html`<div class="card">${await scopeFields(request, form, problems, request.to(`${action}#scopes`))}</div>
<div class="card">${nameField(request, form, problems)}${await expiryField(request, form, request.text('form.expiry'), token, problems)}</div>
<details class="card"${isRestricted && html` open`}><summary>${request.text('form.restrictions')}</summary>
${field(request, 'note', { problems, ...note })}${await accountField(request, form, found)}${addressesField(request, form, problems, action)}${field(request, 'rate_limit', { problems, attributes: limit })}</details>`;
}

export function nameField(request: SectionRequest, form: TokenForm, problems: FieldProblems): Html {
  const { name, scope } = form;
  // An administrator begins with the purposes.
  const isNext = name === '' && problems.length === 0 && (request.isCustomer || scope.length > 0);
  const attributes = html` value="${name}" maxlength="128" required${isNext && html` autofocus`}`;
  return field(request, 'name', { problems, attributes });
}

/** The field of the allowed addresses, with a button that adds the person's own. */
export function addressesField(
  request: SectionRequest,
  { addresses: text }: TokenForm,
  problems: FieldProblems,
  action: string,
): Html {
  const address = clientAddress(request.ctx);
  const attributes = html` rows="3" maxlength="4000" spellcheck="false"`;
  const more = html` <button class="quiet" name="add_address" value="${address}" formaction="${request.to(`${action}#addresses`)}" formnovalidate data-add="addresses" data-done="${request.text('form.addresses.added')}">${request.words('form.addresses.add', { address: code(address) })}</button>`;
  return field(request, 'addresses', { problems, text, attributes, more });
}

/**
 * The purposes as buttons, which send the form to `formAction` if there is no script, and below them the boxes of all
 * scopes with their numbers of rows. A scope that this panel cannot serve is shown as such, but can be chosen: a link or a
 * token may have it, and the panel may provide the data later.
 */
async function scopeFields(
  request: SectionRequest,
  { name, scope: chosen }: TokenForm,
  problems: FieldProblems,
  formAction: string,
): Promise<Html> {
  const { parts } = request;
  const everything = { scopes: [EVERY_SCOPE], ...bindingTo([]) };
  const previews = await parts.previewAccess(everything, COUNT_MS);
  const served = previews.filter(({ state }) => state !== 'missing').map(({ operation }) => operation);
  const { attributes, sentence } = problemAt(problems, 'scope');
  const scopeBox = scopeBoxes(request, chosen, previews);
  const purposes = purposesFor(served);
  const isChosen = ({ scopes }: Purpose) =>
    scopes.length === chosen.length && scopes.every((scope) => chosen.includes(scope));
  const isBlank = name + chosen === '' && problems.length === 0;
  const purpose = (one: Purpose, index: number) => {
    const { name: preset, scopes } = one;
    const words = request.text(`form.preset.${preset}`);
    const focus = isBlank && index === 0 && html` autofocus`;
    const done = request.text('form.preset.done', { preset: words, count: scopes.length });
    return html`<button name="preset" value="${preset}"${focus} formaction="${formAction}" formnovalidate aria-pressed="${String(isChosen(one))}" data-scopes="${scopes.join(' ')}" data-done="${done}"><b>${words}</b> <small>${request.text(`form.preset.${preset}.hint`)}</small> ${code(scopes.join(' '))}</button>`;
  };
  const isFreeChoice = (chosen.length > 0 && !purposes.some(isChosen)) || sentence !== null;
  return html`<fieldset id="scopes"><legend>${request.text('form.scopes')}</legend>
<div class="purposes" role="group" aria-label="${request.text('form.presets')}">
${purposes.map(purpose)}</div>${sentence}
<details class="own-scopes"${isFreeChoice && html` open`}><summary>${request.text('form.own')}</summary>
${scopeBox(EVERY_SCOPE, html` id="scope"${attributes}`)}<div class="scope-groups">
${scopesByTag().map(
  ([tag, scopes]) => html`<fieldset><legend>${request.text(`tag.${tag}`)}</legend>
${scopes.map((scope) => scopeBox(scope))}</fieldset>`,
)}</div></details></fieldset>`;
}

/** Returns a function that writes the box of a scope, with the number of its rows in the previews. */
export function scopeBoxes(
  request: SectionRequest,
  chosen: readonly string[],
  previews: readonly AccessPreview[],
) {
  return (scope: string, its?: Html): Html => {
    const preview = previews.find(({ operation }) => operation.scope === scope);
    const items = preview?.items ?? null;
    const rows = items !== null && html`<b>${request.text('form.rows', { count: items })}</b>`;
    const lacking = html`<span class="mark">${request.text('form.not_served')}</span>`;
    const isWhole = scope === EVERY_SCOPE;
    const hint = isWhole
      ? html`<small id="scope-hint">${request.text('form.everything.hint')}</small>`
      : !request.isCustomer &&
        html`<small>${request.text(`scope.${scope}` as TextKey & `scope.${string}`)}</small>`;
    return html`<p class="choice"><label><input type="checkbox" name="scope" value="${scope}"${chosen.includes(scope) && html` checked`}${its}>
<span>${scopeTitle(request, scope)} ${code(scope)} ${!isWhole && (preview?.state === 'missing' ? lacking : rows)} ${hint}</span></label></p>`;
  };
}

/** The scopes of a token for a common purpose. */
interface Purpose {
  readonly name: 'monitoring' | 'billing' | 'backup-audit' | 'everything';
  readonly scopes: readonly string[];
}

const reads = (...names: readonly string[]) => names.map((name) => `${name}.read`);

export const PURPOSES: readonly Purpose[] = [
  { name: 'monitoring', scopes: reads('services', 'ssl', 'backups', 'jobs', 'accounts', 'platform') },
  { name: 'billing', scopes: reads('accounts', 'domains', 'websites', 'email', 'databases') },
  { name: 'backup-audit', scopes: reads('backups', 'jobs', 'cron') },
];

/** The purposes for a panel with these endpoints, without the scopes of others. */
function purposesFor(served: readonly Operation[]): readonly Purpose[] {
  const there = new Set(served.map(({ scope }) => scope));
  const common = PURPOSES.map((one) => ({ ...one, scopes: one.scopes.filter((scope) => there.has(scope)) }))
    .filter(({ scopes }) => scopes.length > 0)
    .map((one) => ({ ...one, scopes: [PROFILE_SCOPE, ...one.scopes] }));
  return [...common, { name: 'everything', scopes: [EVERY_SCOPE] }];
}

/** All scopes but the wildcard, grouped by the tag of the first operation that needs them. */
function scopesByTag(): readonly [Tag, readonly string[]][] {
  const tagOf = new Map(operations.toReversed().map(({ scope, tag }) => [scope, tag]));
  const scopes = [...new Set(operations.map(({ scope }) => scope))];
  return (Object.keys(tags) as Tag[])
    .map((tag): [Tag, string[]] => [tag, scopes.filter((scope) => tagOf.get(scope) === tag)])
    .filter(([, ofTag]) => ofTag.length > 0);
}

/** The form as a button of its fields has changed it; undefined if no such button was pressed. */
export async function adjustedForm(
  { parts }: SectionRequest,
  fields: URLSearchParams,
  form: TokenForm,
): Promise<TokenForm | undefined> {
  const address = fields.get('add_address');
  if (address !== null) return { ...form, addresses: `${form.addresses}\n${address}`.trim() };
  if (!fields.has('preset')) return undefined;
  const purposes = purposesFor(await parts.servedOperations());
  const purpose = purposes.find(({ name }) => name === fields.get('preset'));
  return { ...form, scope: purpose?.scopes ?? form.scope };
}
