import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long after a page was shown its forms are accepted, in milliseconds: a working day. */
const LIFETIME_MS = 12 * 3600 * 1000;

/** The difference between the clocks of two servers of one panel that is tolerated, in milliseconds. */
const CLOCK_SKEW_MS = 60_000;

/** The administrator who may send a form, and its effect. */
interface FormPurpose {
  readonly actor: string;
  /** The path that the form is sent to, below the section's own. */
  readonly action: string;
}

/** Creates the token of a form, valid for one administrator, one action and half a day. */
export function newFormToken(key: Buffer, purpose: FormPurpose, now = Date.now()): string {
  const nonce = `${now.toString(36)}.${randomBytes(16).toString('base64url')}`;
  return `${nonce}.${sign(key, purpose, nonce)}`;
}

/** The unique part of a form's token; null if the token is forged, of another administrator or action, or too old. */
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
