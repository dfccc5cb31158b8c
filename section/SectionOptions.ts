import type { Context } from 'koa';
import { API_URL_PATTERN, API_URL_RULE } from '../lib/addresses/requestOrigin';
import { optionsValidator } from '../lib/options/validateOptions';
import { installationOf, type PanelApi } from '../middleware/PanelApi';
import type { SectionParts } from './SectionParts';
import type { SectionTexts } from './texts';

/** The parts of a page that a layout combines with the panel's own frame. */
export interface LayoutParts {
  /** The title of the page, as plain text. */
  readonly title: string;
  /** The HTML for `<head>`: the section's policy for scripts, its stylesheet and its script. */
  readonly head: string;
  /** The HTML of the page itself, for `<body>`. */
  readonly content: string;
  /** The name of the person who is signed in, as plain text; empty if the person was refused. */
  readonly actor: string;
  /** The request. */
  readonly ctx: Context;
}

/** The options that `createApiSection` and `createAccountSection` have in common. Only `api` is required. */
export interface SectionOptions {
  /** The return value of createPanelApi. */
  readonly api: PanelApi;
  /** The path of the section, such as `/admin/api`. Default: none, for use with koa-mount. */
  readonly prefix?: string;
  /** The panel's name. Default: `panel.name` of the API's options. */
  readonly panelName?: string;
  /** The target of the link back to the panel: a path, or an http or https URL. Default: no link. */
  readonly back?: string;
  /**
   * The API's base URL for integrations, without `/api/v1`. Default: `apiUrl` of the API's options, else the origin of
   * the request, and the path that a trusted proxy names in `X-Forwarded-Prefix`.
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

const rule = (holds: (value: unknown) => boolean, expects: string) => ({ holds, expects });

/** What a value of an option must be. */
type OptionRule = ReturnType<typeof rule>;

/** An option that is a function. `expects` ends the sentence about a wrong value. @internal */
export function functionRule(expects: string): OptionRule {
  return rule((value) => typeof value === 'function', `must be a function that ${expects}`);
}

const COMMON: Readonly<Record<keyof SectionOptions, OptionRule>> = {
  api: rule((value) => installationOf(value) !== null, 'must be the value that createPanelApi returned'),
  prefix: rule((value) => isMatch(/^(?:\/[\w.~-]+)*$/, value), 'must be a path such as /admin/api'),
  panelName: rule((value) => isMatch(/\S/, value), 'must be a string'),
  back: rule(isLink, 'must be a path or an http or https URL'),
  apiUrl: rule((value) => isMatch(new RegExp(API_URL_PATTERN), value), API_URL_RULE),
  layout: functionRule('returns HTML'),
  languages: rule((value) => typeof value === 'object' && value !== null, 'must be an object of languages'),
};

/**
 * Returns a function that returns the parts of the API in a section's options, and throws a TypeError that names a
 * missing, unknown or wrong option. `person` is the option that says who is signed in.
 * @internal
 */
export function sectionValidator<Options extends SectionOptions>(
  caller: string,
  person: string,
  own: Readonly<Record<string, OptionRule>>,
): (options: Options) => SectionParts {
  const validate = optionsValidator<Options, Options>(caller, {
    properties: { ...COMMON, ...own },
    required: ['api', person],
  });
  return (options) => {
    validate(options);
    return installationOf(options.api);
  };
}

function isMatch(pattern: RegExp, value: unknown): value is string {
  return typeof value === 'string' && pattern.test(value);
}

// A link with a script would run in the panel. Browsers ignore tabs and line breaks before a URL's scheme is read.
function isLink(value: unknown): boolean {
  if (!isMatch(/^[^\s\\\p{Cc}]+$/u, value)) return false;
  return /^\/(?!\/)/.test(value) || (/^https?:\/\//i.test(value) && URL.canParse(value));
}
