import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { API_PATH } from '../lib/fields/Operation';
import type { PanelLog } from '../lib/log/PanelLog';
import { type EndpointContext, loadedObject, type ObjectEndpoint } from '../lib/requests/Endpoint';
import { RouterOfEveryMethod } from './createRouter';
import { forNode } from './nodeHandler';
import { installationOf } from './PanelApi';

/** What the options `api` and `path` of a door beside the API must be, such as of its metrics. */
export function doorOptions(usualPath: string) {
  return {
    api: {
      holds: (value: unknown) => installationOf(value) !== null,
      expects: 'must be the value that createPanelApi returned',
    },
    path: {
      type: 'string',
      pattern: `^(?!${API_PATH}(?:/|$))(?:/[\\w.~-]+)+$`,
      default: usualPath,
      expects: `must be a path such as ${usualPath}, and neither ${API_PATH} nor below it`,
    },
  } as const;
}

/** Describes a door for the checks of its requests, for the log and for the counts of use. */
export function doorEndpoint(
  name: string,
  title: string,
  scope: string,
  load: (context: EndpointContext) => Promise<object>,
): ObjectEndpoint {
  return {
    name,
    kind: 'object',
    apart: true,
    scope,
    tag: 'Platform and health',
    title,
    description: '',
    fields: {},
    load: async (context) => loadedObject(name, await load(context)),
  };
}

/** Creates the router of a door, which is one path; `end` is a pattern for what may follow it. */
export function doorRouter(path: string, log: PanelLog, serve: Middleware, end = '') {
  const router: Router = new RouterOfEveryMethod({ strict: true, sensitive: true });
  router.all(path + end, serve);
  return forNode(router, { prefix: path, log });
}
