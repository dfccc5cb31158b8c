import { FORGEABLE_ADDRESS, isAddressForgeable } from '../lib/addresses/clientAddress';
import { withTimeout } from '../lib/async/withTimeout';
import { causeFacts } from '../lib/log/PanelLog';
import type { LayoutParts } from './ApiSectionOptions';
import { type Html, html, trusted } from './html';
import type { Page } from './Page';
import { pages } from './pages';
import type { Section, SectionRequest } from './SectionRequest';

/** Answers with a page, in the panel's layout if it has one, otherwise in the section's own. */
export async function showPage(request: SectionRequest, page: Page): Promise<void> {
  const { ctx, actor, section } = request;
  const { title, content, problem, hasNotices = false, status = problem ? 400 : 200 } = page;
  const head = html`<link rel="stylesheet" href="${request.to('assets/section.css')}">
<script src="${request.to('assets/section.js')}" defer></script>`;
  const whole = html`<div class="api-section">
${navigation(request)}
<main id="api-section-main" tabindex="-1">
<h1>${title}</h1>
${hasNotices ? await notices(request) : null}
${problem ? html`<p class="problem" role="alert">${problem}</p>` : null}
${content}
${actor === '' ? null : html`<footer><small>All times and days are UTC.</small></footer>`}
</main>
</div>`;
  const parts = { title, head: head.text, content: whole.text, actor, ctx };
  const text = (await panelLayout(section, parts)) ?? ownLayout(section, parts);
  ctx.status = status;
  ctx.type = 'html';
  ctx.body = text;
}

// A refused person is shown nothing of the section.
function navigation(request: SectionRequest): Html | null {
  if (request.actor === '') return null;
  const [, current = ''] = request.path.split('/');
  const entries = pages
    .filter(({ entry }) => entry !== undefined)
    .map(
      ({ path, entry }) =>
        html`<li><a href="${request.to(path)}"${path === current ? html` aria-current="page"` : null}>${entry}</a></li>`,
    );
  return html`<nav aria-label="API"><ul>${entries}</ul></nav>`;
}

/** How long a page waits for the panel's own switch, in milliseconds. A new token must be shown in any case. */
const SWITCH_TIMEOUT_MS = 1000;

async function notices(request: SectionRequest): Promise<Html> {
  return html`${await offNotice(request)}${isAddressForgeable(request.ctx) ? html`<p class="notice">${FORGEABLE_ADDRESS}</p>` : null}`;
}

/**
 * The notice that the API is off; null if it is on or its switch cannot be read, so that the page is shown in any case.
 * Takes one statement, or none if the option `enabled` is set.
 */
async function offNotice(request: SectionRequest): Promise<Html | null> {
  const { settings, options } = request.installation;
  const late = () => new Error('The switch was not read in time.');
  const isOn = await withTimeout(settings.get('enabled'), SWITCH_TIMEOUT_MS, late).catch(() => true);
  if (isOn) return null;
  const link = (words: string) => html`<a href="${request.to('settings')}">${words}</a>`;
  return html`<p class="notice off">${
    options.enabled === undefined
      ? html`The API is off: it answers 503 until it is switched on in the ${link('settings')}.`
      : html`The API is off: it answers 503 until the panel switches it on. ${link('Settings')}`
  }</p>`;
}

/** How long a page waits for the panel's layout, in milliseconds. */
const LAYOUT_TIMEOUT_MS = 2000;

/**
 * The page in the panel's layout; null if there is no layout or it fails, because a new token must be shown in any
 * case.
 */
async function panelLayout({ options, installation }: Section, parts: LayoutParts): Promise<string | null> {
  if (!options.layout) return null;
  const late = () => new Error('The layout did not settle in time.');
  try {
    const text: unknown = await withTimeout(Promise.resolve(options.layout(parts)), LAYOUT_TIMEOUT_MS, late);
    if (typeof text === 'string' && text.includes(parts.content)) return text;
    throw new TypeError('A layout must return HTML that contains the content.');
  } catch (error) {
    installation.log.warn('panel-api section layout failed', causeFacts(error));
    return null;
  }
}

function ownLayout({ options, installation }: Section, { title, head, content, actor }: LayoutParts): string {
  const panelName = options.panelName ?? installation.options.panel.name;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} - API - ${panelName}</title>
${trusted(head)}
</head>
<body class="api-section-frame">
<a class="skip" href="#api-section-main">Skip to the content</a>
<header>
<p class="panel">${options.back === undefined ? panelName : html`<a href="${options.back}">${panelName}</a>`}</p>
${actor === '' ? null : html`<p class="actor">Signed in as ${actor}</p>`}
</header>
${trusted(content)}
</body>
</html>
`.text;
}
