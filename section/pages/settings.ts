import { InvalidInput } from '../../lib/errors/InvalidInput';
import { declaredSettings } from '../../lib/settings/declaredSettings';
import type { SettingDescription } from '../../lib/settings/Settings';
import { field, radio, wholeNumber } from '../field';
import { code, type Html, hidden, html, type Part } from '../html';
import type { Page, PageHandler } from '../Page';
import { type SectionRequest, TOKEN_FIELD } from '../SectionRequest';

/** The module's settings, including those that mount options override. */
export const settingsPage: PageHandler = (request) => settingsForm(request);

/** The URL parameter that names the settings which were just saved. */
const SAVED = 'saved';

/** The field of a form with which the administrator has confirmed that the API is to be off. */
const CONFIRMED = 'confirmed';

/**
 * Saves the settings that were edited. The others are not changed, even if another administrator has changed them since
 * this form was shown: the form contains the values that it was shown with.
 */
export const changeSettings: PageHandler = async (request) => {
  const { fields } = await request.sent();
  const { settings } = request.installation;
  const edited = (await settings.describe()).filter((one) => isEdited(one, fields));
  const isSwitchOff = edited.some((one) => isSwitch(one) && sentValue(one, fields) === false);
  if (isSwitchOff && !fields.has(CONFIRMED)) return confirmation(request, fields);
  try {
    const changes = edited.map((one) => [one.key, sentValue(one, fields)]);
    await settings.change(Object.fromEntries(changes), request.author);
    return { goTo: `settings?${SAVED}=${edited.map(({ name }) => name).join(',')}` };
  } catch (error) {
    if (error instanceof InvalidInput) return settingsForm(request, { fields, error, edited });
    throw error;
  }
};

function isSwitch({ name }: SettingDescription): boolean {
  return name === declaredSettings.enabled.name;
}

/** Asks before the API is switched off. The form contains all that was submitted. */
async function confirmation(request: SectionRequest, sent: URLSearchParams): Promise<Page> {
  const fields = new URLSearchParams(sent);
  fields.delete(TOKEN_FIELD);
  fields.set(CONFIRMED, 'yes');
  return {
    title: request.text('settings.off.title'),
    content: await request.form('settings', html`<p>${request.text('settings.off.hint')}</p>`, {
      fields,
      submit: request.text('settings.off.submit'),
      isDanger: true,
      more: request.link('settings', request.text('form.cancel')),
    }),
  };
}

function isEdited(setting: SettingDescription, fields: URLSearchParams): boolean {
  const shown = fields.get(shownField(setting));
  return setting.source !== 'panel' && shown !== null && shown !== String(sentValue(setting, fields));
}

/** The name of the hidden field with the value that the form was shown with. */
function shownField({ name }: SettingDescription): string {
  return `shown_${name}`;
}

/** The value that the form contains for a setting. An unchecked checkbox is not sent, and 0 means none. */
function sentValue({ name, value, words }: SettingDescription, fields: URLSearchParams) {
  if (typeof value === 'boolean') return fields.has(name);
  if (words) return fields.get(name) ?? value;
  const number = wholeNumber((fields.get(name) ?? '').trim());
  return number === 0 ? null : number;
}

/** A form that was not saved, to be shown again as submitted. */
interface Refused {
  readonly fields: URLSearchParams;
  readonly error: InvalidInput;
  readonly edited: readonly SettingDescription[];
}

async function settingsForm(request: SectionRequest, refused?: Refused): Promise<Page> {
  const described = await request.installation.settings.describe();
  const wrong = refused?.edited.find(({ name }) => name === refused.error.input);
  const problem = wrong ? wrongValue(request, wrong) : refused && request.invalid(refused.error);
  const fields = described.map((one) =>
    settingField(request, one, refused?.fields, one.name === wrong?.name),
  );
  return {
    title: request.text('nav.settings'),
    problem,
    content: html`${!refused && savedNotice(request, described)}
${await request.form('settings', html`<div class="settings">${fields}</div>`, { submit: request.text('settings.save') })}`,
  };
}

function settingField(
  request: SectionRequest,
  setting: SettingDescription,
  typed: URLSearchParams | undefined,
  isWrong: boolean,
): Html {
  const { name, value, source, bounds, words } = setting;
  const isFixed = source === 'panel';
  const sent = isFixed ? undefined : typed;
  const state = html`${isFixed && html` disabled`}${isWrong && html` autofocus`}`;
  const shown = sent?.get(shownField(setting)) ?? String(value);
  const label = request.text(`setting.${name}.title`);
  const hint = html`${request.words(`setting.${name}.description`)} ${sourceOf(request, setting)}`;
  const isChecked = sent?.has(name) ?? value;
  const box = html`<p class="choice"><label><input type="checkbox" id="${name}" name="${name}" aria-describedby="${name}-hint"${state}${isChecked && html` checked`}>
<span><b>${label}</b> <small id="${name}-hint">${hint}</small></span></label></p>
`;
  const range = html` type="number" min="${bounds?.minimum}" max="${bounds?.maximum}" value="${sent?.get(name) ?? value ?? 0}"`;
  const problems = isWrong ? [{ field: name, sentence: wrongValue(request, setting) }] : [];
  const number = () => field(name, { label, hint, problems, attributes: html`${range}${state}` });
  const chosen = sent?.get(name) ?? String(value);
  const choice = () => html`<fieldset id="${name}" aria-describedby="${name}-hint"><legend>${label}</legend>
${words?.map((word) => radio(name, word, chosen, shownValue(request, word)))}${problems.map(({ sentence }) => html`<span class="wrong">${sentence}</span>`)}<small id="${name}-hint">${hint}</small></fieldset>
`;
  return html`${!isFixed && hidden([[shownField(setting), shown]])}${typeof value === 'boolean' ? box : words ? choice() : number()}`;
}

function wrongValue(request: SectionRequest, { name }: SettingDescription): string {
  const [setting, expects] = [request.text(`setting.${name}.title`), request.text(`setting.${name}.expects`)];
  return request.text('settings.wrong', { setting, expects });
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

/**
 * Says that the settings in the URL are saved, if this administrator saved them. Another site may have created the URL,
 * so none of its text is shown.
 */
function savedNotice(request: SectionRequest, described: readonly SettingDescription[]): Html | null {
  const text = request.query.get(SAVED);
  if (text === null) return null;
  if (text === '') return html`<p class="notice" role="status">${request.text('settings.unchanged')}</p>`;
  const names = text.split(',');
  const saved = described.filter(
    ({ name, source, updatedBy }) =>
      names.includes(name) && source === 'stored' && updatedBy === request.actor,
  );
  const lines = saved.map((one) => {
    if (isSwitch(one))
      return html`<li><b>${request.text(one.value ? 'settings.saved.on' : 'settings.saved.off')}</b></li>`;
    const value = html`<b>${shownValue(request, one.value)}</b>`;
    return html`<li>${request.words('settings.saved.one', { setting: request.text(`setting.${one.name}.title`), value })}</li>`;
  });
  if (lines.length === 0) return null;
  return html`<div class="notice good" role="status">${request.text('settings.saved')}<ul>${lines}</ul></div>`;
}

function shownValue(request: SectionRequest, value: string | number | boolean | null): Part {
  if (typeof value === 'boolean') return request.text(value ? 'audit.yes' : 'audit.no');
  if (typeof value === 'string') return request.known(`setting_word.${value}`, value);
  return value === null ? request.text('time.never') : request.number(value);
}
