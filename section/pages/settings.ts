import { InvalidInput } from '../../lib/errors/InvalidInput';
import { declaredSettings } from '../../lib/settings/declaredSettings';
import type { SettingValues } from '../../lib/settings/Setting';
import type { SettingDescription } from '../../lib/settings/Settings';
import { type Html, html } from '../html';
import type { Page, PageHandler } from '../Page';
import { type SectionRequest, TOKEN_FIELD } from '../SectionRequest';

/** The module's settings, including those that mount options override. */
export const settingsPage: PageHandler = (request) => settingsForm(request);

/** The URL parameter that names the settings which were just saved. */
const SAVED = 'saved';

/**
 * Saves the settings that were edited. The others are not changed, even if another administrator has changed them since
 * this form was shown: the form contains the values that it was shown with.
 */
export const changeSettings: PageHandler = async (request) => {
  const { fields } = await request.sent();
  const { settings } = request.installation;
  const edited = (await settings.describe()).filter((one) => isEdited(one, fields));
  if (edited.some((one) => isSwitchOff(one, fields)) && !fields.has(CONFIRMED))
    return confirmation(request, fields);
  try {
    await settings.change(
      Object.fromEntries(edited.map((one) => [one.key, sentValue(one, fields)])),
      request.author,
    );
    return { goTo: `settings?${SAVED}=${edited.map(({ name }) => name).join(',')}` };
  } catch (error) {
    if (error instanceof InvalidInput) return settingsForm(request, { fields, error, edited });
    throw error;
  }
};

/** The field of a form with which the administrator has confirmed that the API is to be off. */
const CONFIRMED = 'confirmed';

function isSwitchOff(setting: SettingDescription, fields: URLSearchParams): boolean {
  return setting.name === declaredSettings.enabled.name && sentValue(setting, fields) === false;
}

/** Asks before the API is switched off. The form contains all that was submitted. */
async function confirmation(request: SectionRequest, fields: URLSearchParams): Promise<Page> {
  const hidden = [...fields]
    .filter(([name]) => name !== TOKEN_FIELD)
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  return {
    title: request.text('settings.off.title'),
    content: html`<p>${request.text('settings.off.hint')}</p>
${await request.form('settings', html`${hidden}<input type="hidden" name="${CONFIRMED}" value="yes"><p class="actions"><button class="danger primary">${request.text('settings.off.submit')}</button> <a href="${request.to('settings')}">${request.text('settings.off.cancel')}</a></p>`)}`,
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
function sentValue(
  { name, value }: SettingDescription,
  fields: URLSearchParams,
): SettingValues[keyof SettingValues] {
  if (typeof value === 'boolean') return fields.has(name);
  const text = (fields.get(name) ?? '').trim();
  return /^\d{1,12}$/.test(text) ? Number(text) || null : Number.NaN;
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
    content: html`${refused ? null : savedNotice(request, described)}
${await request.form('settings', html`${fields}<p class="actions"><button class="primary">${request.text('settings.save')}</button></p>`)}`,
  };
}

function settingField(
  request: SectionRequest,
  setting: SettingDescription,
  typed: URLSearchParams | undefined,
  isWrong: boolean,
): Html {
  const { name, value, source, bounds } = setting;
  const isFixed = source === 'panel';
  const sent = isFixed ? undefined : typed;
  const attributes = html` id="${name}" name="${name}" aria-describedby="${name}-hint"${isFixed ? html` disabled` : null}${isWrong ? html` aria-invalid="true" autofocus` : null}`;
  const shown = isFixed
    ? null
    : html`<input type="hidden" name="${shownField(setting)}" value="${sent?.get(shownField(setting)) ?? String(value)}">
`;
  const title = request.text(`setting.${name}.title`);
  const wrong = isWrong ? html`<span class="wrong">${wrongValue(request, setting)}</span>` : null;
  const hint = html`<small id="${name}-hint">${wrong}${request.words(`setting.${name}.description`)} ${sourceOf(request, setting)}</small>`;
  if (typeof value === 'boolean') {
    return html`${shown}<p class="choice"><label><input type="checkbox"${attributes}${(sent?.has(name) ?? value) ? html` checked` : null}>
<span><b>${title}</b> ${hint}</span></label></p>
`;
  }
  return html`${shown}<p class="field"><label for="${name}">${title}</label>
<input type="number" min="${bounds?.minimum}" max="${bounds?.maximum}" value="${sent?.get(name) ?? value ?? 0}"${attributes}>
${hint}</p>
`;
}

function wrongValue(request: SectionRequest, { name }: SettingDescription): string {
  const [setting, expects] = [request.text(`setting.${name}.title`), request.text(`setting.${name}.expects`)];
  return request.text('settings.wrong', { setting, expects });
}

function sourceOf(request: SectionRequest, setting: SettingDescription): Html | null {
  const { source, option, updatedBy: actor } = setting;
  if (source === 'default') return null;
  if (source === 'unreadable') return request.words('settings.source.unreadable');
  if (source === 'panel')
    return request.words('settings.source.panel', { option: html`<code>${option}</code>` });
  const [time, usual] = [request.relative(setting.updatedAt), shownValue(request, setting.default)];
  return request.words('settings.source.stored', { actor, time, default: usual });
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
  if (saved.length === 0) return null;
  const lines = saved.map(({ name, value }) => {
    if (name === declaredSettings.enabled.name)
      return html`<li><b>${request.text(value ? 'settings.saved.on' : 'settings.saved.off')}</b></li>`;
    const words = html`<b>${shownValue(request, value)}</b>`;
    return html`<li>${request.words('settings.saved.one', { setting: request.text(`setting.${name}.title`), value: words })}</li>`;
  });
  return html`<div class="notice good" role="status">${request.text('settings.saved')}<ul>${lines}</ul></div>`;
}

function shownValue(request: SectionRequest, value: SettingDescription['value']): string {
  if (typeof value === 'boolean') return request.text(value ? 'audit.yes' : 'audit.no');
  return value === null ? request.text('time.never') : request.number(value);
}
