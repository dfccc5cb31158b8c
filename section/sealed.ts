import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Author } from '../lib/audit/AuditLog';

/*
 * A page passes texts to the next one: the token of its form and, in the URL of the next page, what was done. The server
 * encrypts and authenticates them, and stores none. So no log of a proxy shows what was done.
 */

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The tolerated difference between the clocks of a panel's servers, in milliseconds. */
const CLOCK_SKEW_MS = 60_000;

/** A person who is signed in: an administrator, or a customer with an account. */
export type Person = Omit<Author, 'address'>;

/** The person whom a text is for, and what it is for: of a form the path that it is sent to, below the section's. */
export interface Purpose {
  readonly person: Person;
  readonly action: string;
}

/** Seals fields for one purpose, with the time. */
export function seal(key: Buffer, purpose: Purpose, fields: URLSearchParams): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(boundTo(purpose));
  const timed = new URLSearchParams([...fields, ['time', String(Date.now())]]);
  // A URL may be about 8,000 characters long behind a usual proxy.
  const text = cipher.update(deflateRawSync(String(timed)));
  return Buffer.concat([iv, text, cipher.final(), cipher.getAuthTag()]).toString('base64url');
}

/** Returns null if the fields are forged, older than `lifetimeMs`, or of another purpose. */
export function unseal(key: Buffer, purpose: Purpose, sealed: string, lifetimeMs: number) {
  const bytes = Buffer.from(sealed, 'base64url');
  // Other texts decode to the same bytes.
  if (bytes.toString('base64url') !== sealed) return null;
  try {
    const iv = bytes.subarray(0, IV_BYTES);
    const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(boundTo(purpose)).setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
    const fields = new URLSearchParams(String(inflateRawSync(Buffer.concat([text, decipher.final()]))));
    const age = Date.now() - Number(fields.get('time'));
    return age >= -CLOCK_SKEW_MS && age < lifetimeMs ? fields : null;
  } catch {
    return null;
  }
}

function boundTo({ person: { origin, accountId, actor, by }, action }: Purpose): Buffer {
  return Buffer.from(JSON.stringify([origin, String(accountId), actor, by, action]));
}
