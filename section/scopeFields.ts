import { servedOperations } from '../lib/lists/served';
import { EVERY_SCOPE, type Operation, type Tag, tags } from '../lib/operations/Operation';
import { type FieldProblems, problemAt } from './fieldProblems';
import { type Html, html } from './html';
import type { SectionRequest } from './SectionRequest';
import type { TextKey } from './texts';

/**
 * The boxes of all scopes, with the buttons of the presets, which send the form to `formAction` if there is no script.
 * A scope that this panel cannot serve is shown as such, but can be chosen: a link or a token may have it, and the panel
 * may provide the data later.
 */
export async function scopeFields(
  request: SectionRequest,
  chosen: readonly string[],
  problems: FieldProblems,
  formAction: string,
): Promise<Html> {
  const { installation } = request;
  const served = await servedOperations(installation);
  const { attributes, sentence } = problemAt(problems, 'scope');
  const box = (scope: string, words: Html, its: Html | null = null) => {
    const checked = chosen.includes(scope) ? html` checked` : null;
    return html`<p class="choice"><label><input type="checkbox" name="scope" value="${scope}"${checked}${its}>
<span>${words}</span></label></p>
`;
  };
  const scopeBox = (scope: string) => {
    const isServed = served.some((operation) => operation.scope === scope);
    const lacking = isServed ? null : html` <span class="mark">${request.text('form.not_served')}</span>`;
    const read = request.text(`scope.${scope}` as TextKey & `scope.${string}`);
    return box(scope, html`<code>${scope}</code>${lacking} <small>${read}</small>`);
  };
  const groups = scopesByTag(installation.operations).map(
    ([tag, scopes]) => html`<fieldset><legend>${request.text(`tag.${tag}`)}</legend>
${scopes.map(scopeBox)}</fieldset>
`,
  );
  return html`<fieldset id="scopes"><legend>${request.text('form.scopes')}</legend>
${presetButtons(request, presetsFor(served), formAction)}${sentence}
${box(EVERY_SCOPE, html`<b>${request.text('form.everything')}</b> <code>${EVERY_SCOPE}</code> <small id="scope-hint">${request.text('form.everything.hint')}</small>`, html` id="scope"${attributes}`)}<div class="scope-groups">
${groups}</div></fieldset>`;
}

function presetButtons(request: SectionRequest, presets: readonly Preset[], formAction: string): Html {
  const button = ({ name, scopes }: Preset) => {
    const preset = request.text(`form.preset.${name}`);
    const done = request.text('form.preset.done', { preset, count: scopes.length });
    return html`<button name="preset" value="${name}" formaction="${formAction}" formnovalidate data-scopes="${scopes.join(' ')}" data-done="${done}">${preset}</button> `;
  };
  return html`<p class="presets"><span>${request.text('form.presets')}</span>
${presets.map(button)}</p>`;
}

/** The scopes of a token for a common purpose. A token for everything has no preset, but a checkbox. */
interface Preset {
  readonly name: 'monitoring' | 'billing' | 'backup-audit';
  readonly scopes: readonly string[];
}

/** Part of every preset, because an integration first reads its own profile. */
const PROFILE = 'profile.read';

const PRESETS: readonly Preset[] = [
  { name: 'monitoring', scopes: ['services.read', 'ssl.read', 'jobs.read', 'cron.read', 'platform.read'] },
  {
    name: 'billing',
    scopes: ['accounts.read', 'domains.read', 'websites.read', 'email.read', 'databases.read'],
  },
  { name: 'backup-audit', scopes: ['backups.read', 'jobs.read', 'cron.read'] },
];

/** The presets for a panel with these endpoints, without the scopes of others. */
function presetsFor(served: readonly Operation[]): readonly Preset[] {
  const there = new Set(served.map(({ scope }) => scope));
  return PRESETS.map((preset) => ({ ...preset, scopes: preset.scopes.filter((scope) => there.has(scope)) }))
    .filter(({ scopes }) => scopes.length > 0)
    .map((preset) => ({ ...preset, scopes: [PROFILE, ...preset.scopes] }));
}

/** The scopes of a preset in this panel; undefined if it has none of that name. */
export async function presetScopes(
  { installation }: SectionRequest,
  name: string | null,
): Promise<readonly string[] | undefined> {
  if (name === null) return undefined;
  return presetsFor(await servedOperations(installation)).find((preset) => preset.name === name)?.scopes;
}

/** All scopes but the wildcard, grouped by the tag of the first operation that needs them. */
function scopesByTag(operations: readonly Operation[]): readonly [Tag, readonly string[]][] {
  const tagOf = new Map(operations.toReversed().map(({ scope, tag }) => [scope, tag]));
  const scopes = [...new Set(operations.map(({ scope }) => scope))];
  return (Object.keys(tags) as Tag[])
    .map((tag): [Tag, string[]] => [tag, scopes.filter((scope) => tagOf.get(scope) === tag)])
    .filter(([, ofTag]) => ofTag.length > 0);
}
