import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { SectionFailure } from './SectionFailure';
import type { SectionRequest } from './SectionRequest';

/*
 * A form that is filled in goes to the next page in that page's URL, so that the back button and a reload work and the
 * server stores nothing. Proxies write URLs into their logs, so it is encrypted.
 */

const FIELD = 'form';

/** The query of a URL that contains these fields, encrypted. */
export async function sealedForm({ section }: SectionRequest, fields: URLSearchParams): Promise<string> {
  return `${FIELD}=${seal(await section.formKey.read(), fields)}`;
}

/**
 * The fields that the page's URL contains: encrypted, or as parameters of a link. Throws SectionFailure for a form that
 * cannot be decrypted.
 */
export async function fieldsInUrl({ query, section: { formKey } }: SectionRequest): Promise<URLSearchParams> {
  const sealed = query.get(FIELD);
  if (sealed === null) return query;
  const fields = unseal(await formKey.read(), sealed) ?? unseal(await formKey.readAgain(), sealed);
  if (!fields) throw new SectionFailure('form_stale');
  return fields;
}

/**
 * What tells the form in the page's URL from every other one that was submitted; empty if the URL contains none, because
 * a link may be opened again. A token that is created with this idempotency key is not created again when the
 * administrator goes back to the page.
 */
export function sealedFormId({ query }: SectionRequest): string {
  const sealed = query.get(FIELD);
  return sealed === null ? '' : createHash('sha256').update(sealed).digest('base64url');
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export function seal(key: Buffer, fields: URLSearchParams): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, ownKey(key), iv);
  // A URL may be about 8,000 characters long behind a usual proxy.
  const text = cipher.update(deflateRawSync(String(fields)));
  return Buffer.concat([iv, text, cipher.final(), cipher.getAuthTag()]).toString('base64url');
}

/** Returns null if the text was not sealed with this key. */
export function unseal(key: Buffer, sealed: string): URLSearchParams | null {
  const bytes = Buffer.from(sealed, 'base64url');
  try {
    const decipher = createDecipheriv(CIPHER, ownKey(key), bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
    return new URLSearchParams(String(inflateRawSync(Buffer.concat([text, decipher.final()]))));
  } catch {
    return null;
  }
}

/** The key also signs form tokens, so it is not used as it is. */
function ownKey(key: Buffer): Buffer {
  return createHmac('sha256', key).update('sealed form').digest();
}
