import type { Knex } from 'knex';
import { freshDatabase } from '../fixture/databases';
import { some, startMetricsPanel } from '../fixture/metricsPanel';
import { createPanelTables } from '../fixture/panelTables';

const DAY = 86_400;
const MANY = 10_050;

async function tableOf(certificates: readonly object[]): Promise<Knex> {
  const { knex } = await freshDatabase('sqlite');
  await createPanelTables(knex, ['ssl']);
  await knex.batchInsert('ssl', [...certificates], 400);
  return knex;
}

/** The days until the certificates end that the metrics show, by their names. */
async function shownDays(db: Knex, fields: object = {}): Promise<Readonly<Record<string, number>>> {
  const scraped = await startMetricsPanel({ db, sources: { ssl: { fields } } });
  const samples = await scraped.samples(await scraped.panel.token({ scopes: ['ssl.read'] }));
  expect(samples['panel_source_up{list="ssl"}']).toBe(1);
  const ends = Object.entries(some(samples, 'panel_certificate_expiry_timestamp_seconds'));
  return Object.fromEntries(
    ends.map(([name, end]) => [/"(.*)"/.exec(name)?.[1] ?? '', Math.round((end - Date.now() / 1000) / DAY)]),
  );
}

const certificate = (common_name: string | null, days: number, status: string | null = 'valid') => ({
  common_name,
  status,
  expires_at: new Date(Date.now() + days * DAY * 1000).toISOString().slice(0, 19).replace('T', ' '),
});

test('Of very many certificates, those are shown that end about now and were not replaced', async () => {
  const many = Array.from({ length: MANY }, (_, index) => certificate(`${index}.example`, 60 + index / 1000));
  const near = [
    certificate('soon.example', 3),
    certificate('over.example', -2),
    certificate('renewed.example', 5),
    certificate('renewed.example', 90),
    certificate('long-over.example', -40),
  ];
  const db = await tableOf([...many, ...near]);
  const shown = { 'over.example': -2, 'soon.example': 3 };
  expect(await shownDays(db)).toEqual(shown);
  expect(await shownDays(db, { status: { until: 'expires_at' } })).toEqual(shown);
});

test('A status that is computed from the end hides no end', async () => {
  const rows = [
    certificate('a.example', 3, null),
    certificate('a.example', 50, null),
    certificate('b.example', 7, null),
  ];
  expect(await shownDays(await tableOf(rows), { status: { until: 'expires_at' } })).toEqual({
    'a.example': 50,
    'b.example': 7,
  });
});

test('A certificate with other names alone is shown by the first of them', async () => {
  const rows = [{ ...certificate(null, 3), sans: 'b.example www.b.example' }];
  expect(await shownDays(await tableOf(rows))).toEqual({ 'b.example': 3 });
});

test('A certificate without a name is left out', async () => {
  const rows = [certificate(null, 3), certificate('a.example', 50)];
  expect(await shownDays(await tableOf(rows))).toEqual({ 'a.example': 50 });
});
