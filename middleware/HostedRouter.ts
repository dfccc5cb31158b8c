import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Router, RouterMiddleware } from '@koa/router';
import type { PanelLog } from '../lib/log/PanelLog';

/** A router within a panel that is not Koa. */
export interface HostedRouter {
  readonly router: Router;
  /** Where the router's paths begin. */
  readonly prefix: string;
  readonly log: PanelLog;
  readonly proxies: number;
}

/** Answers Node's requests. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Returns what answers the requests of a router's paths, after this middleware. */
export function answerOf({ router, proxies }: HostedRouter, first: RouterMiddleware): Answer {
  // A panel that is Koa may have the only copy where this module cannot find it, as with a linked module.
  const Koa = require('koa') as typeof import('koa');
  const app = new Koa({ proxy: proxies > 0, maxIpsCount: proxies });
  return app.use(first).use(router.routes()).callback();
}

/**
 * Returns the URL from the router's prefix on. The prefix may begin within the path of the panel's mount; if it does so
 * several times, the last one counts. `sent` is the URL that the client sent, if the framework has cut its beginning off.
 */
export function ownUrl(url: string, sent: unknown, prefix: string): string {
  const below = pathAndQuery(url);
  const given = typeof sent === 'string' ? pathAndQuery(sent) : below;
  // For a request of the mount's own path, a framework leaves a slash that the client did not send.
  const whole = given.endsWith(below) ? given : given.replace(/(?=\?|$)/, '/');
  const start = whole.lastIndexOf(prefix, whole.length - below.length);
  return start < 0 ? below : whole.slice(start);
}

/** Clients of proxies send absolute URLs. */
export function pathAndQuery(url: string): string {
  return url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
}

/** The path of such a URL. */
export function pathOfUrl(url: string): string {
  return url.replace(/[?#].*/s, '');
}
