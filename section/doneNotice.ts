import { withTimeout } from '../lib/async/withTimeout';
import { type Html, html, trusted } from './html';
import type { Redirect } from './Page';
import type { SectionRequest } from './SectionRequest';

/** The parameter with what was done. It is sealed, because another site may create a URL. */
const DONE = 'done';

/** How long the URL of a page says what was done, in milliseconds. Later, that may no longer be true. */
const DONE_MS = 60_000;

/**
 * The most characters that are sealed in a URL. A redirect contains it in a header, and nginx refuses an answer with more
 * than 4 KB of headers.
 */
const MOST_SEALED = 2000;

/** How long a page waits for the key of the notice, in milliseconds. */
const KEY_TIMEOUT_MS = 1000;

export async function urlAfter(request: SectionRequest, { goTo, done }: Redirect): Promise<string> {
  if (!done?.text) return request.to(goTo);
  const sealed = (words: string) => request.sealed(sayingDone(goTo), new URLSearchParams({ words }));
  const whole = await sealed(done.text);
  return request.to(goTo, {
    [DONE]: whole.length > MOST_SEALED ? await sealed(request.text('notice.done')) : whole,
  });
}

/** What the redirect to this page says was done; null if nothing was. */
export async function doneNotice(request: SectionRequest): Promise<Html | null> {
  const sealed = request.query.get(DONE);
  // A refused person makes the section read nothing.
  if (!sealed || request.actor === '') return null;
  // A page is shown in any case.
  const key = await withTimeout(request.parts.formKey.read(), KEY_TIMEOUT_MS).catch(() => null);
  const fields = key && request.unsealed(key, sayingDone(request.path.slice(1)), sealed, DONE_MS);
  return fields && html`<div class="notice good" role="status">${trusted(fields.get('words') ?? '')}</div>`;
}

function sayingDone(path: string): string {
  return `${DONE} ${path}`;
}
