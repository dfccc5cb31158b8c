import type { Installation } from '../lib/Installation';
import { plainOptionsCheck } from '../lib/options/checkOptions';
import { doorOptions } from '../middleware/doorOptions';
import { installationOf, type PanelApi } from '../middleware/PanelApi';

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

/** The checked options, with the installation of the API. */
export interface CheckedMetricsOptions extends Required<Omit<MetricsOptions, 'api'>> {
  readonly installation: Installation;
}

/** Returns the options with all defaults. Throws a TypeError that names a missing, unknown or wrong option. */
export function checkMetricsOptions(options: MetricsOptions): CheckedMetricsOptions {
  const given = { ...options };
  checkPlain(given);
  const { path = '/metrics', prefix = 'panel_', maxAgeSeconds = 15 } = given;
  return { path, prefix, maxAgeSeconds, installation: installationOf(options.api) as Installation };
}

const properties: Readonly<Record<keyof MetricsOptions, object>> = {
  ...doorOptions('/metrics'),
  prefix: {
    type: 'string',
    pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$',
    expects: 'must be letters, digits and _, such as panel_, and begin with no digit',
  },
  maxAgeSeconds: { type: 'number', minimum: 0, maximum: 3600, expects: 'must be a number from 0 to 3600' },
};

const checkPlain = plainOptionsCheck('createMetrics', { properties, required: ['api'] });
