import { domainToASCII } from 'node:url';
import { DAY_MS, timeOf } from './judge';

/** The fields of a certificate that decide. Without `sans`, its only name is `common_name`. */
export const CERTIFICATE_FIELDS = ['common_name', 'sans', 'status', 'expires_at'] as const;

type Certificate = Readonly<Record<string, unknown>>;

/** Certificates with these statuses do not end: they are not served, or not issued. */
const NOT_HELD: readonly unknown[] = ['revoked', 'failed', 'pending'];

/** The days for which a certificate that has ended is a problem. After them, its name is likely to be given up. */
export const ENDED_DAYS = 30;

/** The most certificates that are kept of those that end, and of those that ended long ago. */
const MOST_KEPT = 10_000;

interface Kept<T> {
  readonly certificate: T;
  readonly names: readonly string[];
  /** When it ends, in milliseconds. */
  readonly end: number;
}

/**
 * Finds the certificates that end before `until`. Add all that end before, then all others: a certificate does not count
 * if each of its names is on another one that ends later.
 */
export class CertificateEnds<T extends Certificate = Certificate> {
  readonly #now: number;
  readonly #until: number;
  readonly #ending: Kept<T>[] = [];
  readonly #longEnded: Kept<T>[] = [];
  /** The last end of each name of these certificates, and of the wildcards that cover it. */
  readonly #ends = new Map<string, number>();
  #isAll = true;

  constructor(now: number, until: number) {
    this.#now = now;
    this.#until = until;
  }

  add(certificate: T): this {
    const end = NOT_HELD.includes(certificate.status) ? Number.NaN : timeOf(certificate.expires_at);
    if (Number.isNaN(end)) return this;
    const names = namesOf(certificate);
    const kept = end < this.#now - ENDED_DAYS * DAY_MS ? this.#longEnded : this.#ending;
    if (end < this.#until && kept.length < MOST_KEPT) {
      kept.push({ certificate, names, end });
      for (const name of names.flatMap((one) => [one, wildcardOf(one)]))
        if (!this.#ends.has(name)) this.#ends.set(name, -Infinity);
    } else if (end < this.#until) this.#isAll = false;
    for (const name of names) if (end > (this.#ends.get(name) ?? end)) this.#ends.set(name, end);
    return this;
  }

  /** Whether any certificate was kept, so that the others decide. */
  get isEmpty(): boolean {
    return this.#ends.size === 0;
  }

  /**
   * The certificates that count, first those that end in the next 30 days, then those that have ended, each the nearest
   * first. `longEnded` is how many ended over 30 days ago. `isAll` is false if there were too many to keep.
   */
  result() {
    const isLast = ({ names, end }: Kept<T>) =>
      names.some((name) => [name, wildcardOf(name)].every((one) => (this.#ends.get(one) ?? end) <= end));
    const group = ({ end }: Kept<T>) => (end < this.#now ? 1 : end < this.#now + ENDED_DAYS * DAY_MS ? 0 : 2);
    const distance = ({ end }: Kept<T>) => Math.abs(end - this.#now);
    const ending = this.#ending
      .filter(isLast)
      .toSorted((one, other) => group(one) - group(other) || distance(one) - distance(other));
    return { ending, longEnded: this.#longEnded.filter(isLast).length, isAll: this.#isAll };
  }
}

function namesOf({ common_name, sans }: Certificate): readonly string[] {
  const names = [common_name, ...(Array.isArray(sans) ? sans : [])];
  return [...new Set(names.filter((name) => typeof name === 'string' && name !== '').map(asciiName))];
}

/** A name in the form in which the same name is found again: its ASCII form in lower case, without a dot at its end. */
function asciiName(name: unknown): string {
  const text = String(name).toLowerCase();
  return (domainToASCII(text) || text).replace(/\.$/, '');
}

/** The wildcard that covers a name: `*.shop.example` for `www.shop.example`. */
function wildcardOf(name: string): string {
  return name.replace(/^[^.]+/, '*');
}
