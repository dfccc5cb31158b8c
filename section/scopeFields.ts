import { servedOperations } from '../lib/lists/served';
import { EVERY_SCOPE, type Operation, tags } from '../lib/operations/Operation';
import { type Html, html } from './html';
import type { SectionRequest } from './SectionRequest';

/**
 * The boxes of all scopes, with the buttons of the presets. A scope that this panel cannot serve is shown as such, but
 * can be chosen: a link or an edited token may have it, and the panel may provide the data later. `presetsAt` is the
 * page that applies a preset; default: the one that the form is sent to.
 */
export async function scopeFields(
  request: SectionRequest,
  chosen: readonly string[],
  attributes: Html,
  presetsAt?: string,
): Promise<Html> {
  const { installation } = request;
  const served = await servedOperations(installation);
  const box = (
    scope: string,
    text: Html,
    more: Html | null = null,
  ) => html`<p class="choice"><label><input type="checkbox" name="scope" value="${scope}"${chosen.includes(scope) ? html` checked` : null}${more}>
<span>${text}</span></label></p>
`;
  const scopeBox = ({ scope, sentence }: ScopeEntry) => {
    if (served.some((operation) => operation.scope === scope))
      return box(scope, html`<code>${scope}</code> <small>${sentence}</small>`);
    return html`<div class="not-served">${box(scope, html`<code>${scope}</code> <small>${sentence} ${request.text('form.not_served')}</small>`)}</div>`;
  };
  return html`${presetButtons(request, presetsFor(served), presetsAt)}
${box(EVERY_SCOPE, html`<b>${request.text('form.everything')}</b> <code>${EVERY_SCOPE}</code> <small id="scope-hint">${request.text('form.everything.hint')}</small>`, html` id="scope"${attributes}`)}<div class="scope-groups">
${scopeGroups(installation.operations).map(
  ({ tag, scopes }) => html`<fieldset><legend>${tag}</legend>
${scopes.map(scopeBox)}</fieldset>
`,
)}</div>`;
}

// The button submits the form, so that a preset also works without JavaScript.
function presetButtons(request: SectionRequest, presets: readonly Preset[], page?: string): Html {
  const action = page === undefined ? null : html` formaction="${request.to(page)}"`;
  return html`<p class="presets"><span>${request.text('form.presets')}</span>
${presets.map(({ name }) => html`<button name="preset" value="${name}"${action} formnovalidate>${request.text(`form.preset.${name}`)}</button> `)}</p>`;
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

interface ScopeEntry {
  readonly scope: string;
  readonly sentence: string;
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
