import type { Context } from 'koa';
import type { PanelApi } from '../middleware/PanelApi';

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
