import { createHash } from 'node:crypto';

/** A weak validator of JSON text, which comes in parts: equal for equal text, whatever stands around it in the answer. */
export function weakEtag(parts: readonly Buffer[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return `W/"${hash.digest('base64url')}"`;
}

/** Whether an `If-None-Match` header names the validator, by the weak comparison of RFC 9110, section 13.1.2. */
export function namesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag));
}
