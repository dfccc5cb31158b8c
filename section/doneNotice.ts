import { type Html, html, trusted } from './html';
import type { Redirect } from './Page';
import type { SectionRequest } from './SectionRequest';
import { sealFor, unsealFor } from './sealed';

/** The parameter with what was done. It is sealed, because another site may create a URL. */
const DONE = 'done';

/** How long the URL of a page says what was done, in milliseconds. Later, that may no longer be true. */
const DONE_MS = 60_000;

/** The most characters that are sealed in a URL, which may be about 8,000 characters long behind a usual proxy. */
const MOST_SEALED = 5000;

export async function urlAfter(request: SectionRequest, { goTo, done }: Redirect): Promise<string> {
  if (!done?.text) return request.to(goTo);
  const key = await request.section.formKey.read();
  const sealed = (words: string) => sealFor(key, sayingDone(request, goTo), { words });
  const whole = sealed(done.text);
  return request.to(goTo, {
    [DONE]: whole.length > MOST_SEALED ? sealed(request.text('notice.done')) : whole,
  });
}

/** What the redirect to this page says was done; null if nothing was. */
export async function doneNotice(request: SectionRequest): Promise<Html | null> {
  const sealed = request.query.get(DONE);
  if (sealed === null) return null;
  // A page is shown in any case.
  const key = await request.section.formKey.read().catch(() => null);
  const fields = key && unsealFor(key, sayingDone(request, request.path.slice(1)), sealed, DONE_MS);
  return fields && html`<div class="notice good" role="status">${trusted(fields.get('words') ?? '')}</div>`;
}

function sayingDone({ actor }: SectionRequest, path: string) {
  return { actor, action: `${DONE} ${path}` };
}
