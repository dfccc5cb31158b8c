import type { Context } from 'koa';
import { optionsValidator } from '../lib/options/validateOptions';
import { installationOf, type PanelApi } from '../middleware/PanelApi';
import type { SectionParts } from './SectionParts';
import type { SectionTexts } from './texts';

/** The parts of a page that a layout combines with the panel's own frame. */
export interface LayoutParts {
  /** The title of the page, as plain text. */
  readonly title: string;
  /** The HTML for `<head>`: the section's stylesheet and script. */
  readonly head: string;
  /** The HTML of the page itself, for `<body>`. */
  readonly content: string;
  /** The administrator's name that `authorize` returned, as plain text; empty if the person was refused. */
  readonly actor: string;
  /** The request. */
  readonly ctx: Context;
}

/** The options of `createApiSection`. Only `api` and `authorize` are required. */
export interface ApiSectionOptions {
  /** The API to administer: the return value of createPanelApi. */
  readonly api: PanelApi;
  /**
   * Returns the name of the administrator who sends the request, 1 to 128 characters, for the audit trail. For any
   * other value the section answers 403, unless the function has answered itself, for example with a redirect to a
   * login. A value that is neither a name nor empty, such as `true`, is also noted in the log, once.
   */
  readonly authorize: (
    ctx: Context,
  ) => string | null | undefined | false | Promise<string | null | undefined | false>;
  /** The path of the section, such as `/admin/api`. Default: none, for use with koa-mount. */
  readonly prefix?: string;
  /** The panel's name. Default: `panel.name` of the API's options. */
  readonly panelName?: string;
  /** The target of the link back to the panel: a path, or an http or https URL. Default: no link. */
  readonly back?: string;
  /**
   * The API's base URL for integrations, without `/api/v1`. Default: the origin of the request, and the path that a
   * trusted proxy names in `X-Forwarded-Prefix`.
   */
  readonly apiUrl?: string;
  /**
   * Combines a page with the panel's own frame and returns the whole HTML document. Default: the section's own frame.
   */
  readonly layout?: (parts: LayoutParts) => string | Promise<string>;
  /**
   * The languages that the section offers, by their BCP 47 tags, among which the browser's language chooses; else the
   * first. Each may have texts of its own, by their keys, in place of the module's, which has `en` and `de`; a text that
   * neither has is English. Default: `{ en: {} }`.
   */
  readonly languages?: Readonly<Record<string, SectionTexts>>;
}

/** Returns the parts of the API. Throws a TypeError that names a missing, unknown or wrong option. @internal */
export function checkSectionOptions(options: ApiSectionOptions): SectionParts {
  validatePlain(options);
  return installationOf(options.api);
}

const isFunction = (value: unknown) => typeof value === 'function';
const rule = (holds: (value: unknown) => boolean, expects: string) => ({ holds, expects });

const properties: Readonly<Record<keyof ApiSectionOptions, ReturnType<typeof rule>>> = {
  api: rule((value) => installationOf(value) !== null, 'must be the value that createPanelApi returned'),
  authorize: rule(isFunction, "must be a function that returns the administrator's name"),
  prefix: rule((value) => isMatch(/^(?:\/[\w.~-]+)*$/, value), 'must be a path such as /admin/api'),
  panelName: rule((value) => isMatch(/\S/, value), 'must be a string'),
  back: rule(isLink, 'must be a path or an http or https URL'),
  // It is shown within shell commands, so no character of it may have a meaning to a shell.
  apiUrl: rule(
    (value) => isMatch(/^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?(?:\/[\w.~%-]+)*\/?$/i, value),
    'must be an http or https URL without a query, made of letters, digits and . _ ~ % -',
  ),
  layout: rule(isFunction, 'must be a function that returns HTML'),
  languages: rule((value) => typeof value === 'object' && value !== null, 'must be an object of languages'),
};

const validatePlain = optionsValidator<ApiSectionOptions, ApiSectionOptions>('createApiSection', {
  properties,
  required: ['api', 'authorize'],
});

function isMatch(pattern: RegExp, value: unknown): value is string {
  return typeof value === 'string' && pattern.test(value);
}

// A link with a script would run in the panel. Browsers ignore tabs and line breaks before a URL's scheme is read.
function isLink(value: unknown): boolean {
  if (!isMatch(/^[^\s\\\p{Cc}]+$/u, value)) return false;
  return /^\/(?!\/)/.test(value) || (/^https?:\/\//i.test(value) && URL.canParse(value));
}
