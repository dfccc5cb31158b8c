import type { Context } from 'koa';

/**
 * Whether the request was sent by a page of this very origin. A browser says so itself (Fetch Metadata); over plain
 * HTTP it does not, and its Origin has to name this host.
 */
export function isSameOrigin(ctx: Context): boolean {
  const site = ctx.get('Sec-Fetch-Site');
  if (site !== '') return site === 'same-origin';
  const origin = hostOf(ctx.get('Origin'));
  return origin !== null && origin === hostOf(`${ctx.protocol}://${ctx.host}`);
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host || null : null;
}
