import type Router from '@koa/router';
import { published } from '../lib/health/published';
import type { Installation } from '../lib/Installation';
import { plainOptionsCheck } from '../lib/options/checkOptions';
import { readRequest } from '../lib/requests/answerRequest';
import type { EndpointContext } from '../lib/requests/Endpoint';
import { answering } from '../middleware/createRouter';
import { doorEndpoint, doorOptions, doorRouter } from '../middleware/doors';
import type { HandlerOptions, NodeHandler } from '../middleware/nodeHandler';
import { installationOf, type PanelApi } from '../middleware/PanelApi';
import { certificates } from './certificates';
import { exposition, type Family, preferredFormat } from './exposition';
import { listReadings } from './lists';
import { platformReadings } from './platform';
import { createScraper, type ReadEndpoint } from './scrapes';

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
export type Metrics = Router & {
  /** Returns a handler for panels that are not Koa, as that of the API. */
  readonly handler: (options?: HandlerOptions) => NodeHandler;
};

const properties: Readonly<Record<keyof MetricsOptions, object>> = {
  ...doorOptions('/metrics'),
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
};

const checkPlain = plainOptionsCheck<MetricsOptions>('createMetrics', { properties, required: ['api'] });

const READINGS = [...listReadings, certificates, ...platformReadings];

/**
 * Creates the metrics: one path that shows the panel's figures in the text format of Prometheus, to tokens of the API.
 * Mount it with `app.use(createMetrics({ api }).routes())`. All other requests go on to the panel. Throws a TypeError
 * that names a missing, unknown or wrong option.
 */
export function createMetrics(options: MetricsOptions): Metrics {
  const { api, path, prefix, maxAgeSeconds } = checkPlain(options);
  const installation = installationOf(api) as Installation;
  const endpoint = metricsEndpoint(installation, maxAgeSeconds);
  const serve = answering(installation)(endpoint, async (request, ctx) => {
    const read = await readRequest(request, ctx.querystring, installation);
    const { families } = read as { readonly families: readonly Family[] };
    ctx.vary('Accept');
    const format = preferredFormat(ctx.get('Accept'));
    return { contentType: format.contentType, text: exposition(families, prefix, format) };
  });
  return doorRouter(path, installation.log, serve);
}

/** Creates the endpoint of the metrics. Its data are the `families` that the token of the request may see. */
function metricsEndpoint(mount: Installation, maxAgeSeconds: number) {
  const { endpoints, options } = mount;
  const shown = endpoints.flatMap((endpoint): ReadEndpoint[] => {
    const readings = READINGS.filter((reading) => reading.endpoint === endpoint.name);
    return readings.length === 0 || options.sources[endpoint.name] === false ? [] : [{ endpoint, readings }];
  });
  const read = createScraper(mount, shown, maxAgeSeconds * 1000);
  const { name: panel, version } = options.panel;
  const build: Family = {
    name: 'build',
    type: 'info',
    help: 'Versions of the module and of the panel.',
    samples: [{ labels: { version: published.version, panel, panel_version: version }, value: 1 }],
  };
  const scopes = [...new Set(shown.map(({ endpoint }) => endpoint.scope))].join(' ');
  const load = async (request: EndpointContext) => ({ families: [...(await read(request)), build] });
  return doorEndpoint('metrics', 'Metrics', scopes, load);
}
