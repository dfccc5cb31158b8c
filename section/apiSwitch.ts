import { declaredSettings } from '../lib/settings/declaredSettings';
import type { SettingDescription } from '../lib/settings/Settings';
import { type Html, html } from './html';
import type { SectionRequest } from './SectionRequest';

/** The switch of the API as it is now. Rejects if the panel's own switch cannot be read. */
export async function readSwitch({ installation }: SectionRequest): Promise<SettingDescription> {
  const described = await installation.settings.describe();
  return described.find(({ name }) => name === declaredSettings.enabled.name) as SettingDescription;
}

/** Whether the API is on, with the button that switches it on. */
export async function shownSwitch(request: SectionRequest, enabled: SettingDescription): Promise<Html> {
  const { value, source, updatedBy: actor, updatedAt } = enabled;
  const fixed = source === 'panel' ? fixedBy(request, enabled) : null;
  if (!value)
    return html`<div class="notice off api-switch"><p><b>${request.text('overview.off')}.</b> ${fixed ?? request.words('overview.off.meaning')}</p>
${fixed ? null : await switchForm(request, true)}</div>`;
  const since =
    source === 'stored' && request.words('overview.on.by', { actor, time: request.relative(updatedAt) });
  return html`<p class="api-switch"><span class="state active"><b>${request.text('overview.on')}</b></span> <span>${fixed ?? since}</span></p>`;
}

/** Says that the mount option decides. */
export function fixedBy(request: SectionRequest, { option }: SettingDescription): Html {
  return request.words('overview.by_panel', { option: html`<code>${option}</code>` });
}

export function switchForm(request: SectionRequest, isMain: boolean): Promise<Html> {
  const kind = isMain ? html` class="primary"` : null;
  return request.form('', html`<button${kind}>${request.text('overview.switch_on')}</button>`);
}
