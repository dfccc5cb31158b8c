import type { Context, Middleware } from 'koa';

/** What the section refuses, with the status and the sentence for the administrator. */
const FAILURES = {
  forbidden: [403, 'You may not administer the API.'],
  cross_site: [403, 'This form was not sent from this page. Nothing was changed.'],
  form_stale: [403, 'This form is too old or not yours. Nothing was changed; open the page again.'],
  form_unreadable: [400, 'This form cannot be read.'],
  form_too_long: [413, 'This form is too long.'],
  not_found: [404, 'There is no such page.'],
  unavailable: [503, 'The database does not answer at the moment. Try again shortly.'],
  internal: [500, 'Something went wrong on the server. Its log says more.'],
} as const satisfies Readonly<Record<string, readonly [status: number, sentence: string]>>;

type FailureCode = keyof typeof FAILURES;

/** A request that the section does not carry out. */
export class SectionFailure extends Error {
  override readonly name = 'SectionFailure';
  readonly code: FailureCode;
  readonly status: number;

  constructor(code: FailureCode, cause?: unknown) {
    const [status, sentence] = FAILURES[code];
    super(sentence, { cause });
    this.code = code;
    this.status = status;
  }
}

/** Bytes that a form may have. */
const LONGEST = 64 * 1024;

/**
 * Bytes that are read of a form that is too long. A connection that is closed while the client still sends is reset,
 * and the client never sees why.
 */
const MOST_DISCARDED = 16 * 1024 * 1024;
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** The fields of the form that the request carries, also where a body parser of the panel's has read it already. */
export async function readForm(ctx: Context): Promise<URLSearchParams> {
  if (!ctx.is(FORM_TYPE)) throw new SectionFailure('form_unreadable');
  // A parser of other media types leaves an empty body and the form itself unread.
  if (!ctx.req.readableDidRead) return new URLSearchParams(await readBody(ctx));
  return parsedBody((ctx.request as { body?: unknown }).body);
}

async function readBody(ctx: Context): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of ctx.req) {
      length += chunk.length;
      if (length <= LONGEST) chunks.push(chunk);
      if (length > MOST_DISCARDED) break;
    }
  } catch {
    // The client left while it was sending.
    throw new SectionFailure('form_unreadable');
  }
  if (length > LONGEST) throw new SectionFailure('form_too_long');
  return Buffer.concat(chunks).toString('utf8');
}

/** Fields as koa-bodyparser and koa-body give them: a text, or several of one name. */
function parsedBody(body: unknown): URLSearchParams {
  if (typeof body !== 'object' || body === null) throw new SectionFailure('form_unreadable');
  const fields = Object.entries(body).flatMap(([name, value]) =>
    [value].flat().map((one: unknown): [string, string] => [name, typeof one === 'string' ? one : '']),
  );
  return new URLSearchParams(fields);
}

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
