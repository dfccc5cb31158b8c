import { withTimeout } from '../lib/async/withTimeout';
import { printable } from '../lib/errors/printable';
import { causeFacts } from '../lib/log/PanelLog';
import { type Html, html } from './html';
import type { SectionRequest } from './SectionRequest';

const PART_TIMEOUT_MS = 2000;

/** How long a page waits for one of its parts, in milliseconds. */
export function partTimeout({ installation }: SectionRequest): number {
  return Math.min(PART_TIMEOUT_MS, installation.options.deadlineMs / 3);
}

/** The key of the text that names a part. */
type PartTitle = 'overview.switch' | `${'steps' | 'totals' | 'attention' | 'lists'}.title`;

/**
 * A part of a page. If it fails or is not ready in time, its title and a sentence stand in its place, and the log has
 * the cause.
 */
export async function pagePart(
  request: SectionRequest,
  title: PartTitle,
  part: () => Promise<Html>,
): Promise<Html> {
  const { installation, actor } = request;
  const late = new Error('The part was not ready in time.');
  try {
    return await withTimeout(part(), partTimeout(request), () => late);
  } catch (error) {
    const facts = { actor: printable(actor), part: title, ...causeFacts(error) };
    installation.log.warn('panel-api section part failed', facts);
    return html`<h2>${request.text(title)}</h2>
<p class="problem">${request.text(error === late ? 'overview.late' : 'overview.failed')}</p>`;
  }
}
