import { frame } from './frame';
import { html, trusted } from './html/html';
import type { Page } from './Page';
import type { Visit } from './Visit';

const ENTRIES = [
  ['tokens', 'Tokens'],
  ['audit', 'Audit trail'],
  ['settings', 'Settings'],
  ['reference', 'Reference'],
] as const;

/** Answers with a page, in the panel's frame where it has one. */
export async function showPage(visit: Visit, { title, content, status = 200 }: Page): Promise<void> {
  const { ctx, actor, section } = visit;
  const head = html`<link rel="stylesheet" href="${visit.to('assets/section.css')}">
<script src="${visit.to('assets/section.js')}" defer></script>`;
  const whole = html`<div class="api-section">
${navigation(visit)}
<main id="api-section-main" tabindex="-1">
<h1>${title}</h1>
${content}
</main>
</div>`;
  const layout = section.options.layout ?? frame(section);
  const parts = { title, head: head.text, content: whole.text, actor, ctx };
  const text = await layout(parts);
  ctx.status = status;
  ctx.type = 'html';
  ctx.body = trusted(text).text;
}

function navigation(visit: Visit) {
  const [, current = ''] = visit.path.split('/');
  const entries = ENTRIES.map(
    ([path, name]) =>
      html`<li><a href="${visit.to(path)}"${path === current ? html` aria-current="page"` : null}>${name}</a></li>`,
  );
  return html`<nav aria-label="API"><ul>${entries}</ul></nav>`;
}
