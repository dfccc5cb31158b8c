import { withTimeout } from '../lib/async/withTimeout';
import { causeFacts } from '../lib/log/PanelLog';
import { POLICY } from './crossSite';
import { doneNotice } from './doneNotice';
import { type Html, html, trusted } from './html';
import type { Page } from './Page';
import type { LayoutParts } from './SectionOptions';
import type { Section, SectionRequest } from './SectionRequest';

/** Answers with a page, in the panel's layout if it has one, otherwise in the section's own. */
export async function showPage(request: SectionRequest, page: Page): Promise<void> {
  const { ctx, actor, section } = request;
  const { title, content, hasNotices = false, status = page.problem ? 400 : 200 } = page;
  const head = html`<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<link rel="stylesheet" href="${request.to('assets/section.css')}">
<script src="${request.to('assets/section.js')}" defer></script>`;
  const whole = html`<div class="api-section" lang="${request.language}">
${navigation(request)}
<main id="api-section-main" tabindex="-1">
<div class="page-head"><div><h1>${title}</h1>
${page.subtitle && html`<p class="subtitle">${page.subtitle}</p>`}</div>
${page.actions && html`<div class="actions">${page.actions}</div>`}</div>
${await doneNotice(request)}
${hasNotices && (await section.notices(request))}
${page.problem && html`<div class="problem" role="alert">${page.problem}</div>`}
${content}
${actor === '' ? null : html`<footer><small data-zone="${request.text('frame.times_local', { zone: '{zone}' })}">${request.text('frame.times_utc')}</small></footer>`}
<p class="unseen" role="status" data-announcer></p>
</main>
</div>`;
  const parts = { title, head: head.text, content: whole.text, actor, ctx };
  const text = (await panelLayout(section, parts)) ?? ownLayout(request, parts);
  ctx.status = status;
  ctx.type = 'html';
  ctx.body = text;
}

// A refused person is shown nothing of the section.
function navigation(request: SectionRequest): Html | null {
  if (request.actor === '') return null;
  const path = request.path.slice(1);
  const [current] = path.split('/');
  const { mounts } = request.parts;
  const shown = request.section.entries.filter(({ entry }) => entry !== undefined);
  // A page that the navigation leads to does not need one that leads nowhere else.
  if (shown.every(({ path: target }) => target === path)) return null;
  const entries = shown.map(({ path: target, entry, mounted }) => {
    if (entry === undefined || (mounted !== undefined && !mounts.has(mounted))) return null;
    const mark = html` aria-current="${target === path ? 'page' : 'true'}"`;
    return html`<li><a href="${request.to(target)}"${target === current ? mark : null}>${request.text(entry)}</a></li>`;
  });
  return html`<nav aria-label="${request.text('frame.navigation')}"><ul>${entries}</ul></nav>`;
}

/** How long a page waits for the panel's layout, in milliseconds. */
const LAYOUT_TIMEOUT_MS = 2000;

/**
 * The page in the panel's layout; null if there is no layout or it fails, because a new token must be shown in any
 * case.
 */
async function panelLayout({ options, parts: { log } }: Section, shown: LayoutParts): Promise<string | null> {
  if (!options.layout) return null;
  try {
    const text: unknown = await withTimeout(Promise.resolve(options.layout(shown)), LAYOUT_TIMEOUT_MS);
    if (typeof text === 'string' && text.includes(shown.content)) return text;
    throw new TypeError('A layout must return HTML that contains the content.');
  } catch (error) {
    log.warn('panel-api section layout failed', causeFacts(error));
    return null;
  }
}

function ownLayout(request: SectionRequest, { title, head, content, actor }: LayoutParts): string {
  const { options, parts } = request.section;
  const panel = options.panelName ?? parts.options.panel.name;
  const { by } = request.person;
  return html`<!doctype html>
<html lang="${request.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${request.text('frame.title', { page: title, panel })}</title>
<link rel="icon" href="${request.to('assets/icon.svg')}">
${trusted(head)}
</head>
<body class="api-section-frame">
<a class="skip" href="#api-section-main">${request.text('frame.skip')}</a>
<header>
<p class="panel">${options.back === undefined ? panel : html`<a href="${options.back}">${panel}</a>`}</p>
${actor === '' ? null : html`<p class="actor">${request.words('frame.signed_in', { actor: [actor, by && ` (${by})`] })}</p>`}
</header>
${trusted(content)}
</body>
</html>
`.text;
}
