import { API_PATH } from '../lib/operations/Operation';
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
