import type { Router, RouterContext } from '@koa/router';
import type { Next } from 'koa';
import { optionsValidator } from '../lib/options/validateOptions';
import type { Fetcher } from './Fetcher';
import type { HostedRouter } from './HostedRouter';
import type { NodeHandler } from './nodeHandler';

/** The mounts of a router in a panel that is not Koa. */
export interface OtherMounts {
  /**
   * Returns a handler for panels that answer Node's requests: with Express, Fastify, Nest, Next's pages, or Node's `http`
   * and `http2`. It answers its own paths, at any mount path.
   */
  readonly handler: (options?: HandlerOptions) => NodeHandler;
  /**
   * Returns a function for panels that answer a `Request` with a `Response`: with Next's App Router, SvelteKit, React
   * Router, Hono, Elysia, or the servers of Bun and Deno.
   */
  readonly fetcher: (options?: HandlerOptions) => Fetcher;
}

/** The options of `handler` and of `fetcher`. */
export interface HandlerOptions {
  /**
   * How many proxies in front of the panel append to `X-Forwarded-For`. If it is not 0, the `X-Forwarded-` headers say
   * from where, by which protocol and for which host a request was sent. Default: 0.
   */
  readonly proxies?: number;
}

const validate = optionsValidator<HandlerOptions>('handler or fetcher', {
  properties: {
    proxies: { type: 'integer', minimum: 0, default: 0, expects: 'must be a whole number, 0 or more' },
  },
});

/**
 * Completes a router for panels that are not Koa: `handler` and `fetcher` serve them, and `routes` says so instead of
 * failing.
 * @internal
 */
export function forOtherHosts<R extends Router>(router: R, mount: Pick<HostedRouter, 'prefix' | 'log'>) {
  const dispatch = router.routes();
  const forKoa = (ctx: RouterContext, next: Next, nodeNext?: (error: Error) => void) => {
    // Where Koa passes its `next`, the frameworks over Node's `http` pass the response.
    if (typeof next !== 'object') return dispatch(ctx, next);
    const error = mount.log.misuse('panel-api routes() is for Koa; here use handler()');
    if (nodeNext) return nodeNext(error);
    throw error;
  };
  // A framework that is given a method without brackets calls it with its request and more.
  const asKoa = (...all: unknown[]) => forKoa(...(all as [never, never])) as never;
  // A panel's router that contains this one finds it as a property of its middleware.
  const routes = (...all: unknown[]) => (all.length > 1 ? asKoa(...all) : Object.assign(forKoa, { router }));
  // Panels that are Koa load neither.
  const handler = (given?: HandlerOptions, ...more: unknown[]) => {
    if (more.length > 0) return asKoa(given, ...more);
    const { nodeHandlerOf } = require('./nodeHandler') as typeof import('./nodeHandler');
    return nodeHandlerOf({ router, ...mount, ...validate(given ?? {}) });
  };
  const fetcher = (given?: HandlerOptions) => {
    if (given instanceof Request)
      throw mount.log.misuse('panel-api fetcher is given without brackets: use fetcher()');
    const { fetcherOf } = require('./fetch') as typeof import('./fetch');
    return fetcherOf({ router, ...mount, ...validate(given ?? {}) });
  };
  return Object.assign(router, { handler, fetcher, routes, middleware: routes });
}
