import type { InvalidInput } from '../../lib/errors/InvalidInput';
import { EVERY_SCOPE, isServerWide, scopesOf } from '../../lib/fields/Operation';
import { declaredSettings, SETTING_KEYS } from '../../lib/settings/declaredSettings';
import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import { operations } from '../../routes';
import { field, ifWrong, radio, wholeNumber } from '../field';
import { code, type Html, hidden, html, listed, type Part } from '../html';
import type { Page, PageHandler } from '../Page';
import type { SettingDescription } from '../SectionParts';
import { ifReadable, type SectionRequest, TOKEN_FIELD } from '../SectionRequest';
import { type Column, table } from '../table';
import { lastUse, scopeTitle } from '../tokenFacts';

/** The field with the page that a form which only switches a setting is on. */
const PAGE = 'page';
const PAGES = ['', 'assistants'];

/** A form that switches a setting, and then leads back to its page. */
export function switchForm(request: SectionRequest, { name, value }: SettingDescription, button: Html) {
  const fields = { [shownField({ name })]: String(value), [PAGE]: request.path.slice(1) };
  const wanted = value === true ? {} : { [name]: 'on' };
  return request.form('settings', button, { fields: Object.entries({ ...fields, ...wanted }) });
}

export async function describedSetting({ api }: SectionRequest, key: SettingDescription['key']) {
  const [described] = await api.settings.describe([key]);
  return described as SettingDescription;
}

/** The field of a form with which the administrator has confirmed that the API is to be off. */
const CONFIRMED = 'confirmed';

/**
 * Saves the settings that were edited. The others are not changed, even if another administrator has changed them since
 * this form was shown: the form contains the values that it was shown with.
 */
export const changeSettings: PageHandler = async (request) => {
  const { fields } = await request.sent();
  const { settings } = request.api;
  // A form that switches one setting is not refused because another one cannot be read.
  const keys = SETTING_KEYS.filter((key) => fields.has(shownField(declaredSettings[key])));
  const edited = (await settings.describe(keys)).filter((one) => isEdited(one, fields));
  const isSwitchOff = edited.some((one) => one.key === 'enabled' && sentValue(one, fields) === false);
  const goTo = PAGES.find((page) => page === fields.get(PAGE)) ?? 'settings';
  if (isSwitchOff && !fields.has(CONFIRMED)) return confirmation(request, fields, goTo);
  const changes = Object.fromEntries(edited.map((one) => [one.key, sentValue(one, fields)]));
  return settings
    .change(changes, request.author)
    .then(() => ({ goTo, done: savedWords(request, edited, fields) }))
    .catch(ifWrong((error) => settingsPage(request, fields, error)));
};

/** Asks before the API is switched off. The form contains all that was submitted. */
async function confirmation(request: SectionRequest, sent: URLSearchParams, back: string): Promise<Page> {
  const fields = new URLSearchParams(sent);
  fields.delete(TOKEN_FIELD);
  fields.set(CONFIRMED, 'yes');
  // The API can be switched off also if its use cannot be read.
  const use = await ifReadable(request, useOfAll(request));
  return {
    title: request.text('settings.off.title'),
    content: await request.form('settings', html`<p>${request.text('settings.off.hint')}</p>${use}`, {
      fields,
      submit: request.text('settings.off.submit'),
      isDanger: true,
      more: request.link(back, request.text('form.cancel')),
    }),
  };
}

/** Says how often the API is used, and by which tokens most. */
async function useOfAll(request: SectionRequest): Promise<Part> {
  const { usage, tokens } = request.api;
  const { day, month } = await usage.totals();
  const busiest = (await tokens.page(BUSIEST)).tokens;
  const sums = await usage.sums({ ids: busiest.map(({ id }) => id) });
  const sum = ({ id }: TokenRecord) => sums.get(id) ?? 0;
  const used = busiest.filter((token) => sum(token) > 0);
  const columns: readonly Column<TokenRecord>[] = [
    ['tokens.column.token', ({ id, name }) => request.link(`tokens/${id}`, name), 'heading'],
    ['token.used', (token) => lastUse(request, token)],
    ['tokens.column.requests', (token) => request.number(sum(token)), 'number'],
  ];
  const others = used.length - MOST_NAMED;
  const more = () => request.text('attention.more', { count: others });
  const words = request.words('settings.off.use', { count: day.requests, month: month.requests });
  return (
    month.requests > 0 &&
    html`<p class="notice warn">${words}</p>${used.length > 0 && table(request, used.slice(0, MOST_NAMED), columns)}${others > 0 && html`<p>${request.link('tokens?filter=active&order=requests', more())}</p>`}`
  );
}

/** The tokens that are counted before the API is switched off, and how many of them are named. */
const BUSIEST = { filter: 'active', order: 'requests', limit: 1000 } as const;
const MOST_NAMED = 5;

function isEdited(setting: SettingDescription, fields: URLSearchParams): boolean {
  const shown = fields.get(shownField(setting));
  return setting.source !== 'panel' && shown !== null && shown !== String(sentValue(setting, fields));
}

/** The name of the hidden field with the value that the form was shown with. */
function shownField({ name }: Pick<SettingDescription, 'name'>): string {
  return `shown_${name}`;
}

type Value = string | number | boolean | readonly string[] | null;

/** The value that the form contains for a setting. An unchecked checkbox is not sent, and 0 means none. */
function sentValue({ name, value, words }: SettingDescription, fields: URLSearchParams): Value {
  if (typeof value === 'boolean') return fields.has(name);
  if (Array.isArray(value)) return fields.getAll(name);
  const typed = fields.get(name);
  if (words || typed === null) return typed ?? value;
  const number = wholeNumber(typed.trim());
  return number === 0 ? null : number;
}

/** The form; if it was not saved, why, and as it was submitted if it contains all settings. */
export async function settingsPage(request: SectionRequest, sent?: URLSearchParams, error?: InvalidInput) {
  const described = await request.api.settings.describe();
  const wrong = described.find(({ name }) => name === error?.input);
  const problem = wrong ? wrongValue(request, wrong) : error && request.invalid(error);
  const isWhole = described.every((one) => one.source === 'panel' || sent?.has(shownField(one)));
  const typed = isWhole ? sent : undefined;
  const fieldsOf = (group: Group) =>
    described
      .filter(({ key }) => GROUP_OF[key] === group)
      .map((one) => settingField(request, one, typed, one === wrong));
  const groups = [...new Set(Object.values(GROUP_OF))].map(
    (
      group,
    ) => html`<section class="card"><h2>${request.text(`settings.${group}`)}</h2>${fieldsOf(group)}</section>
`,
  );
  return {
    title: request.text('nav.settings'),
    problem,
    content: await request.form('settings', html`<div class="settings">${groups}</div>`, {
      submit: request.text('settings.save'),
    }),
  };
}

type Group = 'access' | 'limits' | 'expiry' | 'privacy' | 'programs' | 'customers';

/** The part of the page that each setting is in. */
const GROUP_OF: Readonly<Record<SettingDescription['key'], Group>> = {
  enabled: 'access',
  httpsRequired: 'access',
  suspendedAccounts: 'access',
  afterRestore: 'access',
  rateLimitRequests: 'limits',
  rateLimitWindowSeconds: 'limits',
  defaultExpiryDays: 'expiry',
  maxExpiryDays: 'expiry',
  lastUsedAddress: 'privacy',
  assistantsEnabled: 'programs',
  customerScopes: 'customers',
  customerTokens: 'customers',
  customerExpiryDays: 'customers',
  customerOwner: 'customers',
  administratorsTokens: 'customers',
};

function settingField(
  request: SectionRequest,
  setting: SettingDescription,
  typed: URLSearchParams | undefined,
  isWrong: boolean,
): Html {
  const { name, value, source, bounds, words } = setting;
  const isFixed = source === 'panel';
  const sent = isFixed ? undefined : typed;
  const state = html`${isFixed && html` disabled`}`;
  // The boxes contain the known scopes alone, in their own order.
  const boxed = Array.isArray(value) ? scopesOf(operations).filter((scope) => value.includes(scope)) : value;
  const shown = sent?.get(shownField(setting)) ?? String(boxed);
  const label = request.text(`setting.${name}.title`);
  const hint = html`${request.words(`setting.${name}.description`)} ${sourceOf(request, setting)}`;
  const isChecked = sent?.has(name) ?? value;
  const box = html`<p class="choice"><label><input type="checkbox" id="${name}" name="${name}" aria-describedby="${name}-hint"${setting.key === 'enabled' && html` role="switch" class="switch"`}${state}${isChecked && html` checked`}>
<span><b>${label}</b> <small id="${name}-hint">${hint}</small></span></label></p>`;
  const range = html` type="number" min="${bounds?.minimum}" max="${bounds?.maximum}" value="${sent?.get(name) ?? value ?? 0}"`;
  const problems = isWrong ? [{ field: name, sentence: wrongValue(request, setting) }] : [];
  const number = () => {
    const unit = request.text(`unit.${name.split('_').at(-1)}` as 'unit.days');
    return field(request, name, { label, hint, problems, unit, attributes: html`${range}${state}` });
  };
  const chosen = sent?.get(name) ?? String(value);
  const choice = () => html`<fieldset id="${name}" aria-describedby="${name}-hint"><legend>${label}</legend>
${words?.map((word) => radio(name, word, chosen, shownValue(request, word)))}${problems.map(({ sentence }) => html`<span class="wrong">${sentence}</span>`)}<small id="${name}-hint">${hint}</small></fieldset>`;
  const scopes = () => scopeBoxes(request, setting, sent, hint);
  const its =
    typeof value === 'boolean' ? box : Array.isArray(value) ? scopes() : words ? choice() : number();
  return html`${!isFixed && hidden([[shownField(setting), shown]])}${its}`;
}

/** The scopes that a token of an account can use. */
function scopeBoxes(
  request: SectionRequest,
  { name, value }: SettingDescription,
  sent: URLSearchParams | undefined,
  hint: Html,
): Html {
  const set = Array.isArray(value) ? value : [];
  const chosen = sent?.getAll(name) ?? set;
  const offered = operations.filter((one) => !isServerWide(one) || set.includes(one.scope));
  const box = (scope: string) =>
    html`<label><input type="checkbox" name="${name}" value="${scope}"${chosen.includes(scope) && html` checked`}> <span>${scopeTitle(request, scope)} ${scope !== EVERY_SCOPE && code(scope)}</span></label>
`;
  return html`<fieldset id="${name}" class="scopes" aria-describedby="${name}-hint"><legend>${request.text(`setting.${name}.title`)}</legend>
${scopesOf(offered).map(box)}<small id="${name}-hint">${hint}</small></fieldset>`;
}

function wrongValue(request: SectionRequest, { name }: SettingDescription): string {
  const expects = request.text(`setting.${name}.expects`);
  return request.text('settings.wrong', { setting: request.text(`setting.${name}.title`), expects });
}

function sourceOf(request: SectionRequest, setting: SettingDescription): Html | null {
  const { source, option, updatedBy: actor } = setting;
  if (source === 'default') return null;
  if (source === 'unreadable') return request.words('settings.source.unreadable');
  if (source === 'panel') return request.words('settings.source.panel', { option: code(option) });
  const time = request.relative(setting.updatedAt);
  const usual = typeof setting.value === 'boolean' ? null : shownValue(request, setting.default);
  return html`${usual !== null && request.words('settings.usual', { value: usual })} ${request.words('settings.source.stored', { actor, time })}`;
}

function savedWords(request: SectionRequest, edited: readonly SettingDescription[], fields: URLSearchParams) {
  if (edited.length === 0) return html`${request.text('settings.unchanged')}`;
  const lines = edited.map((one) => {
    const value = sentValue(one, fields);
    if (one.key === 'enabled')
      return html`<b>${request.text(value ? 'settings.saved.on' : 'settings.saved.off')}</b>`;
    const setting = request.text(`setting.${one.name}.title`);
    return request.words('settings.saved.one', {
      setting,
      value: html`<b>${shownValue(request, value)}</b>`,
    });
  });
  return html`${request.text('settings.saved')}<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
}

function shownValue(request: SectionRequest, value: Value): Part {
  if (typeof value === 'object' && value !== null)
    return value.length > 0 ? listed(value.map(code)) : request.text('audit.none');
  if (typeof value === 'boolean') return request.text(value ? 'audit.yes' : 'audit.no');
  if (typeof value === 'string') return request.known(`setting_word.${value}`, value);
  return value === null ? request.text('time.never') : request.number(value);
}
