import { CERTIFICATE_FIELDS, CertificateEnds, DAY_MS, type Item } from '../lib/problems/problems';
import { countOf } from './counts';
import { gauge } from './exposition';
import { type ListView, listReading, unlessTooMany } from './Reading';

/** How many certificates are shown: those that end first. */
const MOST_SHOWN = 20;

/** If there are more, only certificates that end before long are looked at. */
const MOST_CERTIFICATES = 10_000;
const NEAR = (30 * DAY_MS) / 1000;

export const certificates = listReading('ssl', async (list) => {
  // A status that is computed from the end is different for each end.
  const counts = await list.tally({ fields: ['status'] }).catch(unlessTooMany);
  const total = counts?.reduce((sum, { rows }) => sum + rows, 0) ?? Infinity;
  const counted = counts ? [countOf(list, 'certificates', ['status'], counts)] : [];
  if (!list.has('expires_at')) return counted;
  const { ending, longEnded } = await endsOf(list, total > MOST_CERTIFICATES);
  return [
    ...counted,
    gauge(
      'certificate_expiry_timestamp_seconds',
      'When the certificate ends, for those that end first and were not replaced.',
      ending.slice(0, MOST_SHOWN).map(({ certificate, names, end }) => ({
        labels: { common_name: String(certificate.common_name || names[0]) },
        value: end / 1000,
      })),
    ),
    gauge('certificates_long_ended', 'Certificates that ended over 30 days ago and were not replaced.', [
      { value: longEnded },
    ]),
  ];
});

async function endsOf(list: ListView, isLong: boolean) {
  const now = Math.floor(Date.now() / 1000);
  const until = now + NEAR;
  const add = (ends: CertificateEnds, certificate: Item) => ends.add(certificate);
  const rows = (from: number | null, to: number | null) => ({
    fields: CERTIFICATE_FIELDS,
    ...(isLong && { ranges: new Map([['expires_at', { from, to }]]) }),
  });
  const make = () => new CertificateEnds(now * 1000, isLong ? until * 1000 : Infinity);
  const ends = await list.fold(rows(null, until), make, add);
  if (isLong) await list.fold(rows(until, null), () => ends, add);
  return ends.result();
}
