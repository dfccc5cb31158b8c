import type { Item, PanelClient } from '../../client';
import { CERTIFICATE_FIELDS, CertificateEnds, DAY_MS, ENDED_DAYS } from '../../lib/problems/problems';
import type { Arguments } from './arguments';
import { ifRefused, NotChecked, readAll } from './readLists';
import { type Finding, figure, inWords, named, worstOf } from './report';

type Certificate = Partial<Item<'ssl'>>;

/** Checks the certificates that end soon. The others are read only if there are any, because they may replace them. */
export async function checkCertificates(client: PanelClient, options: Arguments, signal: AbortSignal) {
  const { warning, critical } = options.thresholds.certificates;
  const now = Date.now();
  const until = new Date(now + warning * DAY_MS);
  const ends = new CertificateEnds<Certificate>(now, until.getTime());
  const read = (range: object) => readAll<Certificate>(client.ssl, CERTIFICATE_FIELDS, { ...range }, signal);
  const from = new Date(now - ENDED_DAYS * DAY_MS);
  const early = await read({ expires_at_since: from, expires_at_before: until }).catch(ifRefused);
  const { items, fields } = early ?? (await read({}));
  if (!fields.includes('expires_at')) throw new NotChecked('certificates (no expires_at)');
  for (const certificate of items) ends.add(certificate);
  if (early && !ends.isEmpty)
    for (const certificate of (await read({ expires_at_since: until })).items) ends.add(certificate);
  const due = ends
    .result()
    .ending.map(({ certificate, names, end }) => ({
      name: certificate.common_name || (names[0] ?? ''),
      left: Math.floor((end - now) / DAY_MS),
    }))
    .filter(({ name }) => !options.ignored.has(name));
  const isCritical = ({ left }: { readonly left: number }) => left < critical;
  const texts = due.map(({ name, left }) => `${name} ${inDays(left)}`);
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

function inDays(days: number): string {
  return days < 0 ? `ended ${inWords(-days, 'day')} ago` : `ends in ${inWords(days, 'day')}`;
}
