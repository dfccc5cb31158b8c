import { DatabaseFailure } from '../lib/database/DatabaseFailure';
import { InvalidInput } from '../lib/errors/InvalidInput';
import { causeFacts } from '../lib/log/causeFacts';
import { printable } from '../lib/text/printable';
import { html } from './html/html';
import type { Page } from './Page';
import { SectionFailure } from './SectionFailure';
import { toTokens } from './tokens/toTokens';
import type { Visit } from './Visit';

/** The page for a request that was not carried out: a fixed sentence, and what lies behind it in the log alone. */
export function failurePage(visit: Visit, error: unknown): Page {
  const { installation, actor } = visit;
  if (error instanceof InvalidInput) return failed(visit, 400, error.message);
  const failure = error instanceof SectionFailure ? error : causedBy(error);
  if (failure.status >= 500) {
    installation.log.warn('panel-api section failed', {
      actor: printable(actor),
      code: failure.code,
      ...causeFacts(failure.cause),
    });
  }
  return failed(visit, failure.status, failure.message);
}

function causedBy(error: unknown): SectionFailure {
  return new SectionFailure(error instanceof DatabaseFailure ? 'unavailable' : 'internal', error);
}

function failed(visit: Visit, status: number, sentence: string): Page {
  return {
    status,
    title: 'That did not work',
    content: html`<p class="problem" role="alert">${sentence}</p>
${visit.actor === '' ? null : toTokens(visit)}`,
  };
}
