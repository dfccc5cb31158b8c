import type { Context } from 'koa';

const BEARER = /^bearer +(\S.*)$/i;

/** What the request says is its token; null where it says nothing, and no token at all where it says it twice. */
export function bearerToken(ctx: Context): string | null {
  // Node would quietly keep the first of several.
  const sent = ctx.req.rawHeaders.filter((name, index) => index % 2 === 0 && /^authorization$/i.test(name));
  if (sent.length > 1) return '';
  return BEARER.exec(ctx.get('Authorization'))?.[1]?.trimEnd() ?? null;
}
