import type { Context } from 'koa';
import type { Installation } from '../lib/Installation';
import { installationOf, type PanelApi } from '../middleware/PanelApi';

/** What a layout of the panel's is given to put a page of the section into its own frame. */
export interface LayoutParts {
  /** What the page is called, as plain text. */
  readonly title: string;
  /** The HTML that belongs into `<head>`: the section's stylesheet and script. */
  readonly head: string;
  /** The HTML of the page itself, for `<body>`. */
  readonly content: string;
  /** Who looks at it, as `authorize` said. */
  readonly actor: string;
  readonly ctx: Context;
}

/** What a panel says when it mounts the API section. */
export interface ApiSectionOptions {
  /** The API that the section administers. */
  readonly api: PanelApi;
  /**
   * Gives the name of the administrator who sends the request, for the audit trail: 1 to 128 characters. Anything else
   * refuses: the section then answers 403, unless the function has answered by itself, say with a redirect to a login.
   */
  readonly authorize: (
    ctx: Context,
  ) => string | null | undefined | false | Promise<string | null | undefined | false>;
  /** Where the section is, as in `/admin/api`. Default: the root, for koa-mount. */
  readonly prefix?: string;
  /** The panel's name. Default: the one that the API was mounted with. */
  readonly panelName?: string;
  /** Where the link back to the panel leads. Without it there is none. */
  readonly back?: string;
  /** The API's own address as integrations call it, up to and without `/api/v1`. Default: that of the request. */
  readonly apiUrl?: string;
  /** Puts a page into the panel's own frame: gives a whole HTML document. Its own frame otherwise. */
  readonly layout?: (parts: LayoutParts) => string | Promise<string>;
}

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
