/** The life of a token, as one observer with one monotonic clock saw it. All times are of `performance.now()`. */
export interface TokenLife {
  /** When its creation had returned. */
  readonly createdMs: number;
  /** When its revocation was sent. Infinity if it never was. */
  revokeSentMs: number;
  /** When its revocation had returned. Infinity if it never has. */
  revokedMs: number;
  readonly uses: Use[];
}

export interface Use {
  readonly sentMs: number;
  readonly answeredMs: number;
  /** The status, and the code of an error: `200`, `401 token_revoked`. */
  readonly outcome: string;
}

const REVOKED = '401 token_revoked';

/** What a use of a valid or revoked token may get: `503` if the database does not answer. */
const ALLOWED: ReadonlySet<string> = new Set(['200', REVOKED, '503 unavailable']);

/**
 * The uses of a token that break a promise, as sentences:
 *
 * - a use that was sent after the revocation had returned is not served;
 * - a use that was answered before the revocation was sent is not refused;
 * - a use that was sent after another was refused is not served;
 * - no use gets any other answer.
 */
export function violations({ createdMs, revokeSentMs, revokedMs, uses }: TokenLife): readonly string[] {
  const firstRefusalMs = Math.min(
    ...uses.filter(({ outcome }) => outcome === REVOKED).map(({ answeredMs }) => answeredMs),
  );
  return uses.flatMap(({ sentMs, answeredMs, outcome }) => {
    if (!ALLOWED.has(outcome)) return [`answered ${outcome}`];
    if (outcome === '200' && sentMs > revokedMs) return ['served after the revocation had returned'];
    if (outcome === '200' && sentMs > firstRefusalMs) return ['served after it had been refused'];
    if (outcome === REVOKED && sentMs > createdMs && answeredMs < revokeSentMs)
      return ['refused before the revocation'];
    return [];
  });
}

/** The uses that were sent after the revocation had returned, and were refused for it: a 503 proves nothing. */
export function lateRefusals({ revokedMs, uses }: TokenLife): number {
  return uses.filter(({ sentMs, outcome }) => sentMs > revokedMs && outcome === REVOKED).length;
}
