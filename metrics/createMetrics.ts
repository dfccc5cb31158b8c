import type Router from '@koa/router';
import { readRequest } from '../lib/requests/answerRequest';
import { RouterOfEveryMethod, serving } from '../middleware/createRouter';
import { type HandlerOptions, type NodeHandler, nodeHandler } from '../middleware/nodeHandler';
import { exposition, type Family, preferredFormat } from './exposition';
import { checkMetricsOptions, type MetricsOptions } from './MetricsOptions';
import { metricsEndpoint } from './metricsEndpoint';

/** The router of mounted metrics. */
export type Metrics = Router & {
  /** Returns a handler for panels that are not Koa, as that of the API. */
  readonly handler: (options?: HandlerOptions) => NodeHandler;
};

/**
 * Creates the metrics: one path that shows the panel's figures in the text format of Prometheus, to tokens of the API.
 * Mount it with `app.use(createMetrics({ api }).routes())`. All other requests go on to the panel. Throws a TypeError
 * that names a missing, unknown or wrong option.
 */
export function createMetrics(options: MetricsOptions): Metrics {
  const { installation, path, prefix, maxAgeSeconds } = checkMetricsOptions(options);
  const router = new RouterOfEveryMethod({ strict: true, sensitive: true });
  const serve = serving(installation)(metricsEndpoint(installation, maxAgeSeconds), async (asked, ctx) => {
    const { families } = (await readRequest(asked, installation.lists)) as { families: readonly Family[] };
    ctx.vary('Accept');
    const format = preferredFormat(ctx.get('Accept'));
    return { contentType: format.contentType, text: exposition(families, prefix, format) };
  });
  router.all(path, serve);
  const mount = { prefix: path, log: installation.log };
  const handler = (given?: HandlerOptions) => nodeHandler(router, mount, given);
  return Object.assign(router, { handler });
}
