import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long a form is accepted after its page was shown, in milliseconds: a working day. */
const LIFETIME_MS = 12 * 3600 * 1000;

/** The tolerated difference between the clocks of a panel's servers, in milliseconds. */
const CLOCK_SKEW_MS = 60_000;

/** The administrator who may submit a form, and its action. */
interface FormPurpose {
  readonly actor: string;
  /** The path that the form is sent to, below the section's. */
  readonly action: string;
}

/** Creates a form's token. It is valid for one administrator and one action, for half a day. */
export function newFormToken(key: Buffer, purpose: FormPurpose, now = Date.now()): string {
  const nonce = `${now.toString(36)}.${randomBytes(16).toString('base64url')}`;
  return `${nonce}.${sign(key, purpose, nonce)}`;
}

/**
 * Returns the unique part of a form's token; null if the token is forged, expired, or of another administrator or
 * action.
 */
export function readFormToken(
  key: Buffer,
  purpose: FormPurpose,
  token: string,
  now = Date.now(),
): string | null {
  const [, nonce, time = '', signature = ''] =
    /^(([0-9a-z]{1,10})\.[\w-]{22})\.([\w-]{43})$/.exec(token) ?? [];
  if (nonce === undefined) return null;
  const expected = Buffer.from(sign(key, purpose, nonce));
  if (!timingSafeEqual(expected, Buffer.from(signature))) return null;
  const age = now - Number.parseInt(time, 36);
  return age >= -CLOCK_SKEW_MS && age < LIFETIME_MS ? nonce : null;
}

function sign(key: Buffer, { actor, action }: FormPurpose, nonce: string): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([nonce, actor, action]))
    .digest('base64url');
}
