import type { Installation } from '../lib/Installation';
import { published } from '../lib/release/published';
import { LoadedObject, type ObjectEndpoint } from '../lib/requests/Endpoint';
import { certificates } from './certificates';
import type { Family } from './exposition';
import { listReadings } from './lists';
import { platformReadings } from './platform';
import { type ReadEndpoint, Scrapes } from './Scrapes';

const READINGS = [...listReadings, certificates, ...platformReadings];

/** Creates the endpoint of the metrics. Its data are the `families` that the token of the request may see. */
export function metricsEndpoint(mount: Installation, maxAgeSeconds: number): ObjectEndpoint {
  const { endpoints, options } = mount;
  const shown = endpoints.flatMap((endpoint): ReadEndpoint[] => {
    const readings = READINGS.filter((reading) => reading.endpoint === endpoint.name);
    return readings.length === 0 || options.sources[endpoint.name] === false ? [] : [{ endpoint, readings }];
  });
  const scrapes = new Scrapes(mount, shown, maxAgeSeconds);
  const { name: panel, version } = options.panel;
  const build: Family = {
    name: 'build',
    type: 'info',
    help: 'Versions of the module and of the panel.',
    samples: [{ labels: { version: published.version, panel, panel_version: version }, value: 1 }],
  };
  return {
    name: 'metrics',
    kind: 'object',
    apart: true,
    scope: [...new Set(shown.map(({ endpoint }) => endpoint.scope))].join(' '),
    tag: 'Platform and health',
    title: 'Metrics',
    description: 'Figures of the panel for monitoring.',
    fields: {},
    async load(request) {
      return new LoadedObject('metrics', { families: [...(await scrapes.read(request)), build] });
    },
  };
}
