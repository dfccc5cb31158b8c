import type { Context, Middleware } from 'koa';
import { isLocalHost, isOwnOrigin } from '../lib/addresses/requestOrigin';

/**
 * Whether a page of this origin sent the request. Browsers report that by Fetch Metadata, but not over plain HTTP; then
 * the Origin header must name this host.
 */
export function isSameOrigin(ctx: Context): boolean {
  const site = ctx.get('Sec-Fetch-Site');
  if (site !== '') return site === 'same-origin';
  return isOwnOrigin(ctx);
}

/**
 * Whether another origin asks for a page without showing it in a window of its own: as an image, by a script, or in a
 * frame, which every page forbids. Browsers report that by Fetch Metadata; a request without it is not suspected.
 */
export function isForeignFetch(ctx: Context): boolean {
  if (['', 'none', 'same-origin'].includes(ctx.get('Sec-Fetch-Site'))) return false;
  const isWindow = ['', 'document'].includes(ctx.get('Sec-Fetch-Dest'));
  return ctx.get('Sec-Fetch-Mode') !== 'navigate' || !isWindow;
}

/** Also within every page, because some frameworks replace the header by the panel's own. */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
].join('; ');

/** The headers of every answer of the section: no caching, no framing, no referrer, and only its own scripts. */
export const securityHeaders: Middleware = async (ctx, next) => {
  ctx.set({
    'Cache-Control': 'no-store',
    'CDN-Cache-Control': 'no-store',
    // Within a page, a browser ignores this part of it.
    'Content-Security-Policy': `${POLICY}; frame-ancestors 'none'`,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': referrerPolicy(ctx as Context),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'X-Robots-Tag': 'noindex, nofollow',
  });
  await next();
};

/**
 * With `no-referrer`, a browser sends `Origin: null` with a form, and without HTTPS no `Sec-Fetch-Site` (Fetch
 * Metadata, section 2). Such a form could not be told from another site's.
 */
function referrerPolicy({ secure, hostname }: Context): string {
  return isLocalHost(hostname) || secure ? 'no-referrer' : 'same-origin';
}
