import { createHash } from 'node:crypto';

/** A weak validator of JSON text: equal for equal text, whatever stands around it in the answer. */
export function weakEtag(json: string): string {
  return `W/"${createHash('sha256').update(json).digest('base64url')}"`;
}

/** Whether an `If-None-Match` header names the validator, by the weak comparison of RFC 9110, section 13.1.2. */
export function namesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag));
}
