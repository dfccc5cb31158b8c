import { freshDatabase } from '../fixture/databases';
import { type MetricsPanel, startMetricsPanel } from '../fixture/metricsPanel';
import { OWN_SWITCH } from '../fixture/ownSwitch';
import { AUTHOR } from '../fixture/panel';
import { createFilledTables } from '../fixture/panelTables';

const DAY = 86_400;

/** A panel with rows in each list that the files of docs/monitoring ask for, without a fault or with nine. */
export async function startMonitoredPanel({ faults }: { readonly faults: boolean }): Promise<MetricsPanel> {
  const { knex } = await freshDatabase('sqlite');
  await createFilledTables(knex);
  const at = (days: number) => new Date(Date.now() + days * DAY * 1000).toISOString().slice(0, 19);
  await knex('ssl').update({ expires_at: at(faults ? 3 : 60) });
  await knex('backups').update({ account_id: 1, scope: 'account', finished_at: at(faults ? -5 : -1) });
  await knex('jobs').insert({ type: 'deploy', status: 'failed', finished_at: at(faults ? 0 : -1) });
  await knex('accounts').update({ disk_used_bytes: faults ? 95 : 5, disk_limit_bytes: 100 });
  await knex('cron').update({ last_status: 'succeeded' });
  if (faults) await knex.schema.dropTable('cron');
  const nginx = { id: 'nginx', name: 'nginx', status: faults ? 'failed' : 'running', enabled: true };
  const scraped = await startMetricsPanel({
    ...OWN_SWITCH,
    db: knex,
    sources: {
      services: {
        rows: () => [nginx, { ...nginx, id: 'debug', status: 'stopped', enabled: false }],
        fields: ['id', 'name', 'status', 'enabled'],
      },
    },
    panel: { name: 'Example Panel', version: '1.4.0' },
  });
  await scraped.panel.api.settings.enable(AUTHOR);
  if (faults) {
    await scraped.panel.token({ expiresInSeconds: 3 * DAY });
    // A token with a short life is meant to end.
    await knex('panel_api_tokens').decrement('created_at', 30 * DAY);
  }
  return scraped;
}
