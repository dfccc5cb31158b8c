import { InvalidInput } from '../../lib/errors/InvalidInput';
import type { SettingDescription, SettingSource, SettingValues } from '../../lib/settings/Setting';
import { type Html, html, shownTime } from '../html';
import type { Page, PageHandler, SectionRequest } from '../SectionRequest';

/** The module's settings, those that the panel fixes among them. */
export const settingsPage: PageHandler = (request) => settingsForm(request);

/**
 * Saves what was edited. Somebody else may have changed the rest since this form was shown, and that stays: which
 * values were shown, the form says itself.
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
    return { goTo: savedPath(edited) };
  } catch (error) {
    if (error instanceof InvalidInput) return settingsForm(request, { fields, why: sentence(error, edited) });
    throw error;
  }
};

/** What is wrong, with the setting as its field is labelled. */
function sentence({ input, message }: InvalidInput, edited: readonly SettingDescription[]): string {
  const wrong = edited.find(({ name }) => name === input);
  return wrong ? `“${wrong.title}” must be ${wrong.expects}.` : message;
}

function isEdited(setting: SettingDescription, fields: URLSearchParams): boolean {
  const shown = fields.get(shownField(setting));
  return setting.source !== 'panel' && shown !== null && shown !== String(sentValue(setting, fields));
}

/** The field that says what a setting was when the form was shown. */
function shownField({ name }: SettingDescription): string {
  return `shown_${name}`;
}

/** What the form says of a setting: a box that is not ticked is not sent, and 0 is none. */
function sentValue(
  { name, value }: SettingDescription,
  fields: URLSearchParams,
): SettingValues[keyof SettingValues] {
  if (typeof value === 'boolean') return fields.has(name);
  const text = (fields.get(name) ?? '').trim();
  return /^\d{1,12}$/.test(text) ? Number(text) || null : Number.NaN;
}

/** A form that was not saved: it is shown again as it was filled in. */
interface Refused {
  readonly fields: URLSearchParams;
  readonly why: string;
}

async function settingsForm(request: SectionRequest, refused?: Refused): Promise<Page> {
  const described = await request.installation.settings.describe();
  const content = html`${described.map((one) => settingField(one, refused?.fields))}<p class="actions"><button class="primary">Save</button></p>`;
  return {
    status: refused ? 400 : 200,
    title: 'Settings',
    content: html`${refused ? html`<p class="problem" role="alert">${refused.why}</p>` : savedNotice(described, request.query, request.actor)}
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
  const hint = html`<small id="${name}-hint">${description} ${said(setting)}</small>`;
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

function said({ source, updatedAt, updatedBy, option }: SettingDescription): Html {
  const words: Readonly<Record<SettingSource, Html>> = {
    panel: html`The panel sets it, by its option ${option ?? ''}.`,
    stored: html`Set by ${updatedBy} at ${shownTime(updatedAt)}.`,
    default: html`The default.`,
    unreadable: html`What is stored cannot be read; this holds instead.`,
  };
  return words[source];
}

const PARAMETER = 'saved';

/** The page that tells of the settings which were just saved. */
function savedPath(saved: readonly SettingDescription[]): string {
  return `settings?${PARAMETER}=${saved.map(({ name }) => name).join(',')}`;
}

/**
 * Says that the settings which the page's address names are saved, as far as this administrator did save them. The
 * address may come from anybody: of its words none is shown.
 */
function savedNotice(
  described: readonly SettingDescription[],
  query: URLSearchParams,
  actor: string,
): Html | null {
  const text = query.get(PARAMETER);
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
