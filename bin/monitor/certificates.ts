import { domainToASCII } from 'node:url';
import type { Item, PanelClient } from '../../client';
import type { Arguments } from './arguments';
import { NotChecked, readAll } from './reading';
import { type Finding, figure, inWords, named, worstOf } from './report';

type Certificate = Partial<Item<'ssl'>> & Pick<Item<'ssl'>, 'id'>;
type Website = Partial<Item<'websites'>> & Pick<Item<'websites'>, 'id'>;

const DAY = 86_400_000;

const FIELDS = ['common_name', 'sans', 'website_id', 'status', 'expires_at'] as const;

/** Without a certificate of its own, or not served. */
const NOT_HELD = ['revoked', 'failed', 'pending'];
const NOT_SERVED = ['stopped', 'suspended'];

/**
 * Checks the newest certificate of each name that a website uses. Superseded, revoked and unused ones are no problem.
 * Only those that end soon are read if there are none.
 */
export async function checkCertificates(client: PanelClient, options: Arguments, signal: AbortSignal) {
  const { warning, critical } = options.thresholds.certificates;
  const now = Date.now();
  const end = new Date(now + warning * DAY);
  // So that a scope or a list that is missing shows before it is needed.
  await client.websites.page({ fields: ['domain'], limit: 1 }, { signal });
  const early = await readAll<Certificate>(client.ssl, FIELDS, { expires_at_before: end }, signal);
  if (!early.fields.includes('expires_at')) throw new NotChecked('certificates (no expires_at)');
  const isDue = (certificate: Certificate) => expiryOf(certificate) < end.getTime();
  const isUsed = (certificate: Certificate) =>
    !NOT_HELD.includes(certificate.status ?? '') &&
    !Number.isNaN(expiryOf(certificate)) &&
    certificate.website_id !== null;
  const held = early.items.filter(isUsed);
  const due = held.some(isDue) ? await dueAmong(held) : [];

  async function dueAmong(found: Certificate[]): Promise<readonly Certificate[]> {
    const rest = early.isWhole
      ? { items: [] }
      : await readAll<Certificate>(client.ssl, FIELDS, { expires_at_since: end }, signal);
    const fields = ['domain', 'aliases', 'status', 'ssl_enabled'] as const;
    const websites = await readAll<Website>(client.websites, fields, {}, signal);
    const newest = newestOf([...found, ...rest.items.filter(isUsed)]);
    const served = new Set<Certificate>();
    for (const website of websites.items) {
      for (const name of namesOf(website, options.ignored)) {
        const certificate = newest(website, name);
        if (certificate && isDue(certificate) && !options.ignored.has(certificate.common_name ?? ''))
          served.add(certificate);
      }
    }
    return [...served].toSorted((a, b) => expiryOf(a) - expiryOf(b));
  }

  const left = (certificate: Certificate) => Math.floor((expiryOf(certificate) - now) / DAY);
  const isCritical = (certificate: Certificate) => left(certificate) < critical;
  const texts = due.map((one) => `${one.common_name} ${inDays(left(one))}`);
  return {
    state: worstOf(due.map((one) => (isCritical(one) ? 'CRITICAL' : 'WARNING'))),
    text:
      due.length === 0
        ? `certificates last ${inWords(warning, 'day')}`
        : `${inWords(due.length, 'certificate')} to renew: ${named(texts)}`,
    figures: [
      figure('certificates', due.length, { warning: 0 }),
      figure('certificates_critical', due.filter(isCritical).length, { critical: 0 }),
    ],
  } satisfies Finding;
}

const expiryOf = ({ expires_at }: Certificate): number => Date.parse(expires_at ?? '');

function inDays(days: number): string {
  return days < 0 ? `ended ${inWords(-days, 'day')} ago` : `ends in ${inWords(days, 'day')}`;
}

/** The names by which browsers reach a website with HTTPS. */
function namesOf(website: Website, ignored: ReadonlySet<string>): readonly string[] {
  const { domain = '', aliases, status = '', ssl_enabled } = website;
  if (NOT_SERVED.includes(status) || ssl_enabled === false || ignored.has(domain)) return [];
  return [domain, ...(aliases ?? [])].filter((name) => !ignored.has(name)).map(asciiName);
}

/** Returns the function that finds the certificate of a website's name that ends last. */
function newestOf(certificates: readonly Certificate[]) {
  const newest = new Map<string, Certificate>();
  for (const certificate of certificates) {
    const { common_name = '', sans, website_id } = certificate;
    // Without the list of its names, a certificate is for all names of its website.
    const keys = [common_name, ...(sans ?? [])].map(asciiName);
    if (!sans && website_id !== undefined) keys.push(`website ${website_id}`);
    for (const key of keys) {
      const known = newest.get(key);
      if (!known || expiryOf(known) < expiryOf(certificate)) newest.set(key, certificate);
    }
  }
  return ({ id }: Website, name: string): Certificate | undefined =>
    [name, name.replace(/^[^.]+/, '*'), `website ${id}`]
      .flatMap((key) => newest.get(key) ?? [])
      .toSorted((a, b) => expiryOf(b) - expiryOf(a))[0];
}

/** A name in the form in which the same name is found again: its ASCII form in lower case. */
function asciiName(name: string): string {
  const [, star = '', rest = ''] = /^(\*\.)?(.*?)\.?$/.exec(name) ?? [];
  return star + (domainToASCII(rest) || rest.toLowerCase());
}
