import type { SettingDescription } from '../../lib/settings/SettingDescription';
import { type Html, html } from '../html/html';

const PARAMETER = 'saved';

/** The page that tells of the settings which were just saved. */
export function savedPath(saved: readonly SettingDescription[]): string {
  return `settings?${PARAMETER}=${saved.map(({ name }) => name).join(',')}`;
}

/**
 * Says that the settings which the page's address names are saved, as far as this administrator did save them. The
 * address may come from anybody: of its words none is shown.
 */
export function savedNotice(
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
