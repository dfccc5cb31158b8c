import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Router, RouterContext } from '@koa/router';
import type { Context, Next } from 'koa';
import type { PanelLog } from '../lib/log/PanelLog';
import { optionsValidator } from '../lib/options/validateOptions';

type NodeRequest = IncomingMessage | Http2ServerRequest;
type NodeResponse = ServerResponse | Http2ServerResponse;

/** Answers requests of Node's `http` and `http2`, and of the frameworks over them, such as Express. */
export interface NodeHandler {
  /** Returns whether it answers the request; if not, it has not touched it. */
  (request: NodeRequest, response: NodeResponse): boolean;
  /** Returns nothing, and calls `next` if it does not answer the request. */
  (request: NodeRequest, response: NodeResponse, next: (error?: unknown) => void): void;
}

/** The options of `handler`. */
export interface HandlerOptions {
  /**
   * How many proxies in front of the panel append to `X-Forwarded-For`. If it is not 0, the `X-Forwarded-` headers say
   * from where, by which protocol and for which host a request was sent. Default: 0.
   */
  readonly proxies?: number;
}

const validateOptions = optionsValidator<HandlerOptions>('handler', {
  properties: {
    proxies: { type: 'integer', minimum: 0, default: 0, expects: 'must be a whole number, 0 or more' },
  },
});

interface NodeMount {
  /** Where the router's paths begin. */
  readonly prefix: string;
  readonly log: PanelLog;
}

/** Logs once that a panel mounts the module in the wrong way, and returns the error that says so. */
function wrongMount(log: PanelLog, message: string): Error {
  log.warnOnce(message);
  return new Error(message);
}

/**
 * Completes a router for panels that are not Koa: `handler` serves them, and `routes` says so instead of failing.
 * @internal
 */
export function forNode<R extends Router>(router: R, mount: NodeMount) {
  const dispatch = router.routes();
  const forKoa = (ctx: RouterContext, next: Next, nodeNext?: (error: Error) => void) => {
    // Where Koa passes its `next`, the frameworks over Node's `http` pass the response.
    if (typeof next !== 'object') return dispatch(ctx, next);
    const error = wrongMount(mount.log, 'panel-api routes() is for Koa; here use handler()');
    if (nodeNext) return nodeNext(error);
    throw error;
  };
  // A framework that is given a method without brackets calls it with its request and more.
  const asKoa = (...all: unknown[]) => forKoa(...(all as [never, never])) as never;
  // A panel's router that contains this one finds it as a property of its middleware.
  const routes = (...all: unknown[]) => (all.length > 1 ? asKoa(...all) : Object.assign(forKoa, { router }));
  const handler = (given?: HandlerOptions, ...more: unknown[]) =>
    more.length > 0 ? asKoa(given, ...more) : nodeHandler(router, mount, given);
  return Object.assign(router, { handler, routes, middleware: routes });
}

/**
 * Returns a router's handler for panels that are not Koa, at any mount path. The router's prefix is looked for in the
 * whole path that the client sent, because frameworks cut the path of a mount off. Throws a TypeError that names an
 * unknown or wrong option.
 */
function nodeHandler(router: Router, { prefix, log }: NodeMount, options: HandlerOptions = {}): NodeHandler {
  const { proxies } = validateOptions(options);
  // A panel that is Koa may have the only copy where this module cannot find it, as with a linked module.
  const Koa = require('koa') as typeof import('koa');
  const app = new Koa({ proxy: proxies > 0, maxIpsCount: proxies });
  const answer = app.use(takeParsedBody).use(router.routes()).callback();
  return ((request: NodeRequest, response: NodeResponse, next?: () => void) => {
    // Koa passes its `next` in place of the response.
    if (typeof response === 'function')
      throw wrongMount(log, 'panel-api handler() is not for Koa; here use routes()');
    const url = ownUrl(request, prefix);
    const path = url.replace(/[?#].*/s, '');
    const isOwn = router.match(path, request.method ?? '').route;
    if (isOwn && !response.headersSent) {
      const given = request.url ?? '';
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

/**
 * Returns the URL from the router's prefix on. The prefix may begin within the path of the panel's mount; if it does so
 * several times, the last one counts.
 */
function ownUrl(request: NodeRequest, prefix: string): string {
  const { url = '', originalUrl } = request as { url?: string; originalUrl?: unknown };
  const below = pathAndQuery(url);
  const sent = typeof originalUrl === 'string' ? pathAndQuery(originalUrl) : below;
  // For a request of the mount's own path, a framework leaves a slash that the client did not send.
  const whole = sent.endsWith(below) ? sent : sent.replace(/(?=\?|$)/, '/');
  const start = whole.lastIndexOf(prefix, whole.length - below.length);
  return start < 0 ? below : whole.slice(start);
}

/** Clients of proxies send absolute URLs. */
function pathAndQuery(url: string): string {
  return url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
}

/** A body parser of the panel's leaves the form on Node's request. */
function takeParsedBody(ctx: Context, next: () => Promise<unknown>): Promise<unknown> {
  const { body } = ctx.req as { body?: unknown };
  if (body !== undefined) Object.assign(ctx.request, { body });
  return next();
}
