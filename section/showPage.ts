import { causeFacts } from '../lib/log/causeFacts';
import { within } from '../lib/time/within';
import type { LayoutParts } from './ApiSectionOptions';
import { frame } from './frame';
import { type Html, html } from './html/html';
import { notices } from './notices';
import type { Page } from './Page';
import type { Visit } from './Visit';

const ENTRIES = [
  ['tokens', 'Tokens'],
  ['audit', 'Audit trail'],
  ['settings', 'Settings'],
  ['reference', 'Reference'],
] as const;

/** Answers with a page, in the panel's frame where it has one. */
export async function showPage(
  visit: Visit,
  { title, content, hasNotices = false, status = 200 }: Page,
): Promise<void> {
  const { ctx, actor, section } = visit;
  const head = html`<link rel="stylesheet" href="${visit.to('assets/section.css')}">
<script src="${visit.to('assets/section.js')}" defer></script>`;
  const whole = html`<div class="api-section">
${navigation(visit)}
<main id="api-section-main" tabindex="-1">
<h1>${title}</h1>
${hasNotices ? await notices(visit) : null}
${content}
${actor === '' ? null : html`<footer><small>All times and days are UTC.</small></footer>`}
</main>
</div>`;
  const parts = { title, head: head.text, content: whole.text, actor, ctx };
  const text = (await panelLayout(visit, parts)) ?? frame(section)(parts);
  ctx.status = status;
  ctx.type = 'html';
  ctx.body = text;
}

/** How long a page waits for the panel's layout, in milliseconds. */
const LAYOUT_PATIENCE_MS = 2000;

/** The page in the panel's frame; null if the panel has none or it fails: a token must be shown all the same. */
async function panelLayout({ section }: Visit, parts: LayoutParts): Promise<string | null> {
  const { options, installation } = section;
  if (!options.layout) return null;
  try {
    const text: unknown = await within(Promise.resolve(options.layout(parts)), LAYOUT_PATIENCE_MS, late);
    if (typeof text === 'string' && text.includes(parts.content)) return text;
    throw new TypeError('A layout must give HTML that holds the content.');
  } catch (error) {
    installation.log.warn('panel-api section layout failed', causeFacts(error));
    return null;
  }
}

function late(): Error {
  return new Error('The layout did not settle in time.');
}

// A person who is refused is shown nothing of the section.
function navigation(visit: Visit): Html | null {
  if (visit.actor === '') return null;
  const [, current = ''] = visit.path.split('/');
  const entries = ENTRIES.map(
    ([path, name]) =>
      html`<li><a href="${visit.to(path)}"${path === current ? html` aria-current="page"` : null}>${name}</a></li>`,
  );
  return html`<nav aria-label="API"><ul>${entries}</ul></nav>`;
}
