import { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import { Deadline, withTimeout } from '../lib/async/withTimeout';
import { isActor } from '../lib/audit/AuditLog';
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

/**
 * Handles requests for one page: refuses those that other sites send, except to open it, calls `authorize`, and shows
 * the page or why there is none. `authorize` and the page each have the deadline of an API request.
 */
export function servePage(section: Section, handler: PageHandler, createsToken = false): Middleware {
  const { log, options } = section.parts;
  const { deadlineMs } = options;
  return async function servePage(context) {
    const ctx = context as Context;
    const before = answerOf(ctx);
    let actor: string | null = null;
    try {
      // Before anything is read: another site could have the administrator's browser send any number of these.
      if (ctx.method !== 'POST' && isForeignFetch(ctx)) throw new SectionFailure('foreign_fetch');
      const named: unknown = await withTimeout(Promise.resolve(section.options.authorize(ctx)), deadlineMs);
      actor = isActor(named) ? named : null;
      // The panel may have answered itself, for example with a redirect to its login.
      if (actor === null && answerOf(ctx).some((part, index) => part !== before[index])) return;
      // Many a panel returns an empty text for a person who is not signed in.
      if (actor === null && named)
        log.warnOnce("panel-api authorize must return the administrator's name, or null");
      if (actor === null) throw new SectionFailure('forbidden');
      if (ctx.method === 'POST' && !isSameOrigin(ctx)) throw new SectionFailure('cross_site');
      const request = new SectionRequest(ctx, actor, section);
      await answer(request, await withTimeout(handler(request), deadlineMs));
    } catch (error) {
      if (isRefusal(error)) throw error;
      const request = new SectionRequest(ctx, actor ?? '', section);
      await showPage(request, failurePage(request, error, createsToken));
    }
    section.protect(ctx);
  };
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

/** Whether `authorize` refused the request with `ctx.throw`, which the panel's own error handling answers. */
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
  const { code, status, cause } = failureOf(error, createsToken);
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
