import { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import { Deadline, withTimeout } from '../lib/async/withTimeout';
import { DatabaseFailure } from '../lib/database/DatabaseFailure';
import { InvalidInput } from '../lib/errors/InvalidInput';
import { printable } from '../lib/errors/printable';
import { causeFacts } from '../lib/log/PanelLog';
import { DuplicateRequest } from '../lib/tokens/TokenRecord';
import { isForeignFetch, isSameOrigin } from './crossSite';
import { urlAfter } from './doneNotice';
import { html, type Part } from './html';
import { showPage } from './layout';
import type { Page, PageHandler } from './Page';
import { isTablesNewer, SectionFailure } from './SectionFailure';
import { type Section, SectionRequest, wayOut } from './SectionRequest';
import type { Person } from './sealed';

/**
 * Handles requests for one page: refuses those that other sites send, except to open it, asks the panel who sends them,
 * and shows the page or why there is none. The panel and the page each have the deadline of an API request.
 */
export function servePage(section: Section, handler: PageHandler, createsToken = false): Middleware {
  const { log, options } = section.parts;
  const { deadlineMs } = options;
  return async function servePage(context) {
    const ctx = context as Context;
    let person: Person | null = null;
    try {
      // Before anything is read: another site could have the person's browser send any number of these.
      if (ctx.method !== 'POST' && isForeignFetch(ctx)) throw new SectionFailure('foreign_fetch');
      const named = await askPanel(ctx, section.ask, deadlineMs);
      person = section.personOf(named.value);
      if (person === null && named.hasAnswered) return;
      // Many a panel returns an empty text for a person who is not signed in.
      if (person === null && named.value) log.warnOnce(section.wrongAnswer);
      if (person === null) throw new SectionFailure('forbidden');
      if (ctx.method === 'POST' && !isSameOrigin(ctx)) throw new SectionFailure('cross_site');
      if (createsToken && section.isFresh) {
        const fresh = await askPanel(ctx, section.isFresh, deadlineMs);
        if (fresh.value !== true && fresh.hasAnswered) return;
        if (fresh.value !== true) throw new SectionFailure('not_fresh');
      }
      const request = new SectionRequest(ctx, person, section);
      await answer(request, await withTimeout(handler(request), deadlineMs));
    } catch (error) {
      if (isRefusal(error)) throw error;
      const request = new SectionRequest(ctx, person, section);
      await showPage(request, failurePage(request, error, createsToken));
    }
    section.protect(ctx);
  };
}

/** Asks a function of the panel, which may answer the request itself, for example with a redirect to its login. */
async function askPanel(ctx: Context, question: (ctx: Context) => unknown, deadlineMs: number) {
  const before = answerOf(ctx);
  const value = await withTimeout<unknown>(Promise.resolve(question(ctx)), deadlineMs);
  return { value, hasAnswered: answerOf(ctx).some((part, index) => part !== before[index]) };
}

function answerOf({ respond, status, body, res }: Context): readonly unknown[] {
  return [respond, status, body, res.writableEnded];
}

async function answer(request: SectionRequest, result: Awaited<ReturnType<PageHandler>>): Promise<void> {
  const { ctx } = request;
  if ('goTo' in result) {
    ctx.status = 303;
    ctx.redirect(await urlAfter(request, result));
  } else if ('body' in result) {
    ctx.attachment(result.fileName);
    ctx.body = Readable.from(result.body);
  } else {
    await showPage(request, result);
  }
}

/** Whether the panel refused the request with `ctx.throw`, which its own error handling answers. */
function isRefusal(error: unknown): boolean {
  try {
    const { status, expose } = (error ?? {}) as { status?: unknown; expose?: unknown };
    return expose === true && Number(status) >= 400 && Number(status) < 500;
  } catch {
    // The properties of the error throw.
    return false;
  }
}

/** The page for a request that failed, with a fixed sentence. Only the log contains the cause. */
function failurePage(request: SectionRequest, error: unknown, createsToken: boolean): Page {
  const { actor } = request;
  const page = (status: number, problem: Part): Page => ({
    status,
    title: request.text('failure.title'),
    problem,
    content: actor === '' ? html`` : wayOut(request),
  });
  if (error instanceof DuplicateRequest) {
    // The token that the form has created when it was sent before, without the secret.
    const token = request.link(`tokens/${error.tokenId}`, request.text('created.again.link'));
    const problem = request.words('created.again.token', { token });
    return { ...page(409, problem), title: request.text('created.again') };
  }
  if (error instanceof InvalidInput) return page(400, request.invalid(error));
  const { code, status, cause } = failureOf(error, createsToken && request.ctx.method === 'POST');
  const facts = { actor: printable(actor), code, ...causeFacts(cause) };
  if (status >= 500) request.parts.log.warn('panel-api section failed', facts);
  return page(status, request.text(`failure.${code}`));
}

function failureOf(error: unknown, createsToken: boolean): SectionFailure {
  if (error instanceof SectionFailure) return error;
  if (isTablesNewer(error)) return new SectionFailure('tables_newer', error);
  const isUnavailable = error instanceof DatabaseFailure || error instanceof Deadline;
  if (isUnavailable && createsToken) return new SectionFailure('token_unshown', error);
  return new SectionFailure(isUnavailable ? 'unavailable' : 'internal', error);
}
