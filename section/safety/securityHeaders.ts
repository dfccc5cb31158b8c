import type { Context, Middleware } from 'koa';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  // The reference tries the API with a token that is pasted into the page.
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What every answer of the section carries: it is kept nowhere, framed nowhere, and runs no script but its own. */
export const securityHeaders: Middleware = async (ctx, next) => {
  ctx.set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': POLICY,
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
 * Under `no-referrer` a browser sends `Origin: null` with a form, and without HTTPS it sends no `Sec-Fetch-Site` either
 * (Fetch Metadata, section 2): nobody could tell such a form from another site's.
 */
function referrerPolicy({ secure, hostname }: Context): string {
  const isTrustworthy = secure || /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(hostname);
  return isTrustworthy ? 'no-referrer' : 'same-origin';
}
