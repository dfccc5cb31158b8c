import { InvalidInput } from '../../lib/errors/InvalidInput';
import type { SettingValues } from '../../lib/settings/Setting';
import type { SettingDescription, SettingSource } from '../../lib/settings/Settings';
import { type Html, html, shownTime } from '../html';
import type { Page, PageHandler } from '../Page';
import type { SectionRequest } from '../SectionRequest';

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
  try {
    await settings.change(
      Object.fromEntries(edited.map((one) => [one.key, sentValue(one, fields)])),
      request.author,
    );
    return { goTo: `settings?${SAVED}=${edited.map(({ name }) => name).join(',')}` };
  } catch (error) {
    if (error instanceof InvalidInput)
      return settingsForm(request, { fields, problem: sentence(error, edited) });
    throw error;
  }
};

/** The sentence about a wrong value, with the setting's label on the page. */
function sentence({ input, message }: InvalidInput, edited: readonly SettingDescription[]): string {
  const wrong = edited.find(({ name }) => name === input);
  return wrong ? `“${wrong.title}” must be ${wrong.expects}.` : message;
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
  readonly problem: string;
}

async function settingsForm(request: SectionRequest, refused?: Refused): Promise<Page> {
  const described = await request.installation.settings.describe();
  const content = html`${described.map((one) => settingField(one, refused?.fields))}<p class="actions"><button class="primary">Save</button></p>`;
  return {
    title: 'Settings',
    problem: refused?.problem,
    content: html`${refused ? null : savedNotice(request, described)}
${await request.form('settings', content)}`,
  };
}

function settingField(setting: SettingDescription, typed?: URLSearchParams): Html {
  const { name, title, description, value, source, bounds } = setting;
  const sent = source === 'panel' ? undefined : typed;
  const described = html` id="${name}" name="${name}" aria-describedby="${name}-hint"${source === 'panel' ? html` disabled` : null}`;
  const shown =
    source === 'panel'
      ? null
      : html`<input type="hidden" name="${shownField(setting)}" value="${sent?.get(shownField(setting)) ?? String(value)}">
`;
  const hint = html`<small id="${name}-hint">${description} ${sourceText(setting)}</small>`;
  if (typeof value === 'boolean') {
    return html`${shown}<p class="choice"><label><input type="checkbox"${described}${(sent?.has(name) ?? value) ? html` checked` : null}>
<span>${title} ${hint}</span></label></p>
`;
  }
  return html`${shown}<p class="field"><label for="${name}">${title}</label>
<input type="number" min="${bounds?.minimum}" max="${bounds?.maximum}" value="${sent?.get(name) ?? value ?? 0}"${described}>
${hint}</p>
`;
}

function sourceText({ source, updatedAt, updatedBy, option }: SettingDescription): Html {
  const words: Readonly<Record<SettingSource, Html>> = {
    panel: html`The mount option ${option ?? ''} sets this value.`,
    stored: html`Set by ${updatedBy} at ${shownTime(updatedAt)}.`,
    default: html`Default value.`,
    unreadable: html`The stored value cannot be read, so the default is used.`,
  };
  return words[source];
}

/**
 * Says that the settings in the URL are saved, if this administrator saved them. Another site may have created the URL,
 * so none of its text is shown.
 */
function savedNotice(
  { query, actor }: SectionRequest,
  described: readonly SettingDescription[],
): Html | null {
  const text = query.get(SAVED);
  if (text === null) return null;
  if (text === '') return html`<p class="notice" role="status">Nothing was changed.</p>`;
  const names = text.split(',');
  const saved = described.filter(
    ({ name, source, updatedBy }) => names.includes(name) && source === 'stored' && updatedBy === actor,
  );
  if (saved.length === 0) return null;
  return html`<div class="notice" role="status">Saved:<ul>${saved.map(({ title, value }) => html`<li>${title}: <b>${word(value)}</b></li>`)}</ul></div>`;
}

function word(value: SettingDescription['value']): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === null ? 'never' : String(value);
}
