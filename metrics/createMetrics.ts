import type Router from '@koa/router';
import { published } from '../lib/health/published';
import type { OtherMounts } from '../middleware/hosts';
import { mountForPrograms, mountOptionsValidator } from '../middleware/mountForPrograms';
import { installationOf, type PanelApi } from '../middleware/PanelApi';
import { operations } from '../routes';
import { certificates } from './certificates';
import { exposition, type Family, preferredFormat } from './exposition';
import { listReadings } from './lists';
import { platformReadings } from './platform';
import { Scraper } from './Scraper';

/** The options of `createMetrics`. Only `api` is required. */
export interface MetricsOptions {
  /** The API whose figures are shown: the return value of createPanelApi. */
  readonly api: PanelApi;
  /** The path of the metrics, outside of `/api/v1`. Default: `/metrics`. */
  readonly path?: string;
  /** The beginning of the name of every metric. Default: `panel_`. */
  readonly prefix?: string;
  /** For how many seconds a reading is shown, 0 to 3600. Default: 15. With 0, only simultaneous scrapes share one. */
  readonly maxAgeSeconds?: number;
}

/** The router of mounted metrics. */
export type Metrics = Router & OtherMounts;

const validatePlain = mountOptionsValidator<MetricsOptions>('createMetrics', '/metrics', {
  prefix: {
    type: 'string',
    pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$',
    default: 'panel_',
    expects: 'must be letters, digits and _, such as panel_, and begin with no digit',
  },
  maxAgeSeconds: {
    type: 'number',
    minimum: 0,
    maximum: 3600,
    default: 15,
    expects: 'must be a number from 0 to 3600',
  },
});

/** What the metrics use of the installation: some of its options. */
interface MetricsParts {
  readonly sources: Readonly<Record<string, unknown>>;
  readonly deadlineMs: number;
  readonly panel: { readonly name: string; readonly version: string };
}

const READINGS = [...listReadings, certificates, ...platformReadings];

/**
 * Creates the metrics: one path that shows the panel's figures in the text format of Prometheus, to tokens of the API.
 * Mount it with `app.use(createMetrics({ api }).routes())`. All other requests go on to the panel. Throws a TypeError
 * that names a missing, unknown or wrong option.
 */
export function createMetrics(options: MetricsOptions): Metrics {
  const { api, path, prefix, maxAgeSeconds } = validatePlain(options);
  const { deadlineMs, panel, sources }: MetricsParts = installationOf(api).options;
  const shown = operations.flatMap(({ name, scope }) => {
    const readings = READINGS.filter(({ endpoint }) => endpoint === name);
    return readings.length === 0 || sources[name] === false ? [] : [{ name, scope, readings }];
  });
  const scraper = new Scraper(api, shown, maxAgeSeconds * 1000, deadlineMs);
  const build: Family = {
    name: 'build',
    type: 'info',
    help: 'Versions of the module and of the panel.',
    samples: [
      { labels: { version: published.version, panel: panel.name, panel_version: panel.version }, value: 1 },
    ],
  };
  const scope = [...new Set(shown.map((one) => one.scope))].join(' ');
  return mountForPrograms({ api, name: 'metrics', path, scope }, async (ctx, admit) => {
    const reader = await admit();
    await reader.check(ctx.querystring);
    const families = [...(await scraper.scrape(reader)), build];
    ctx.vary('Accept');
    const format = preferredFormat(ctx.get('Accept'));
    return { contentType: format.contentType, text: exposition(families, prefix, format) };
  });
}
