import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { RouterContext } from '@koa/router';
import type { Next } from 'koa';
import { answerOf, type HostedRouter, ownUrl, pathOfUrl } from './HostedRouter';

type NodeRequest = IncomingMessage | Http2ServerRequest;
type NodeResponse = ServerResponse | Http2ServerResponse;

/** Answers requests of Node's `http` and `http2`, and of the frameworks over them, such as Express. */
export interface NodeHandler {
  /** Returns whether it answers the request; if not, it has not touched it. */
  (request: NodeRequest, response: NodeResponse): boolean;
  /** Returns nothing, and calls `next` if it does not answer the request. */
  (request: NodeRequest, response: NodeResponse, next: (error?: unknown) => void): void;
}

/**
 * Returns a router's handler for Node's requests, at any mount path. The router's prefix is looked for in the whole path
 * that the client sent, because frameworks cut the path of a mount off.
 */
export function nodeHandlerOf(hosted: HostedRouter): NodeHandler {
  const { router, prefix, log } = hosted;
  const answer = answerOf(hosted, takeParsedBody);
  return ((request: NodeRequest, response: NodeResponse, next?: () => void) => {
    // Koa passes its `next` in place of the response.
    if (typeof response === 'function')
      throw log.misuse('panel-api handler() is not for Koa; here use routes()');
    const { url: given = '', originalUrl } = request as { url?: string; originalUrl?: unknown };
    const url = ownUrl(given, originalUrl, prefix);
    const path = pathOfUrl(url);
    const isOwn = router.match(path, request.method ?? '').route;
    if (isOwn && !response.headersSent) {
      request.url = url;
      // Koa's types name HTTP/1 only.
      void answer(request as IncomingMessage, response as ServerResponse).finally(() => {
        request.url = given;
      });
    } else {
      // An answer that has begun belongs to the panel.
      if (isOwn) log.warn('panel-api request answered before', { route: path });
      next?.();
    }
    // h3 sends what a handler returns that was given `next`.
    return next ? undefined : isOwn;
  }) as NodeHandler;
}

/** A body parser of the panel's leaves the form on Node's request. */
function takeParsedBody(ctx: RouterContext, next: Next): Promise<unknown> {
  const { body } = ctx.req as { body?: unknown };
  if (body !== undefined) Object.assign(ctx.request, { body });
  return next();
}
