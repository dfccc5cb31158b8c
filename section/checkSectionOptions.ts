import type { Installation } from '../lib/Installation';
import { installationOf } from '../lib/installationOf';
import type { ApiSectionOptions } from './ApiSectionOptions';

/** It is part of lines for a shell, so it holds nothing that means anything there. */
const API_URL = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?(?:\/[\w.~%-]+)*\/?$/i;

const EXPECTED: Readonly<
  Record<keyof ApiSectionOptions, readonly [check: (value: unknown) => boolean, why: string]>
> = {
  api: [(value) => installationOf(value) !== null, 'must be what createPanelApi gave'],
  authorize: [
    (value) => typeof value === 'function',
    "must be a function that gives the administrator's name",
  ],
  prefix: [
    (value) => typeof value === 'string' && /^(?:\/[\w.~-]+)*$/.test(value),
    'must be a path such as /admin/api',
  ],
  panelName: [(value) => typeof value === 'string' && value.trim() !== '', 'must be a text'],
  back: [
    (value) => typeof value === 'string' && isLink(value),
    'must be a path or an address of http or https',
  ],
  apiUrl: [
    (value) => typeof value === 'string' && API_URL.test(value),
    'must be an address of http or https without a query, made of letters, digits and . _ ~ % -',
  ],
  layout: [(value) => typeof value === 'function', 'must be a function that gives HTML'],
};

const REQUIRED = ['api', 'authorize'] as const;

/** What the API of the options consists of. Throws a TypeError that names the option which is unknown, missing or wrong. */
export function checkSectionOptions(options: ApiSectionOptions): Installation {
  const given: Readonly<Record<string, unknown>> = { ...options };
  for (const name of REQUIRED) {
    if (given[name] === undefined) fail(name);
  }
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(EXPECTED, name)) throw new TypeError(`createApiSection: there is no option ${name}.`);
    const [isFit, why] = EXPECTED[name as keyof ApiSectionOptions];
    if (value !== undefined && !isFit(value)) throw wrong(name, why);
  }
  return installationOf(options.api) ?? fail('api');
}

function fail(name: keyof ApiSectionOptions): never {
  throw wrong(name, EXPECTED[name][1]);
}

function wrong(name: string, why: string): TypeError {
  return new TypeError(`createApiSection: the option ${name} is wrong (${why}).`);
}

// A link that runs a script would run it in the panel. Browsers leave out tabs and line breaks before they read a path.
function isLink(value: string): boolean {
  if (/[\s\\\p{Cc}]/u.test(value)) return false;
  return /^\/(?!\/)/.test(value) || (/^https?:\/\//i.test(value) && URL.canParse(value));
}
