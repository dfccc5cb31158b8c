import type { Context, Middleware } from 'koa';
import { isActor } from '../lib/audit/checkAuthor';
import { failurePage } from './failurePage';
import type { PageHandler } from './Page';
import type { Section } from './Section';
import { SectionFailure } from './SectionFailure';
import { isSameOrigin } from './safety/isSameOrigin';
import { showPage } from './showPage';
import { Visit } from './Visit';

/**
 * Answers for one page: asks the panel who sends the request, refuses forms of other sites, and shows what comes of it,
 * failures included. What `authorize` throws is the panel's, and goes on to it.
 */
export function servePage(section: Section, handler: PageHandler): Middleware {
  return async function servePage(context) {
    const ctx = context as Context;
    const before = answerOf(ctx);
    const named: unknown = await section.options.authorize(ctx);
    const actor = isActor(named) ? named : null;
    // The panel may have sent whoever is not signed in to its login.
    if (actor === null && answerOf(ctx).some((part, index) => part !== before[index])) return;
    const visit = new Visit(ctx, actor ?? '', section);
    try {
      if (actor === null) throw new SectionFailure('forbidden');
      if (ctx.method === 'POST' && !isSameOrigin(ctx)) throw new SectionFailure('cross_site');
      await answer(visit, handler);
    } catch (error) {
      await showPage(visit, failurePage(visit, error));
    }
  };
}

async function answer(visit: Visit, handler: PageHandler): Promise<void> {
  const { ctx } = visit;
  const result = await handler(visit);
  if ('goTo' in result) {
    ctx.status = 303;
    ctx.redirect(visit.to(result.goTo));
  } else if ('body' in result) {
    ctx.type = result.type;
    ctx.attachment(result.fileName);
    ctx.body = result.body;
  } else {
    await showPage(visit, result);
  }
}

function answerOf({ respond, status, body, res }: Context): readonly unknown[] {
  return [respond, status, body, res.writableEnded];
}
