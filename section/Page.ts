import type { Readable } from 'node:stream';
import type { Html } from './html/html';
import type { Visit } from './Visit';

/** A page to show. */
export interface Page {
  readonly title: string;
  readonly content: Html;
  /** Whether the page shows the section's notices, such as that the API is off. Default: no. */
  readonly hasNotices?: boolean;
  /** Default 200. */
  readonly status?: number;
  /** Called if the page comes too late to be shown. */
  readonly ifUnseen?: () => Promise<unknown>;
}

/** Another page to go on to, as a path within the section. */
export interface Redirect {
  readonly goTo: string;
}

/** What is no page: a table to keep. */
export interface Download {
  /** The media type, with its charset. */
  readonly type: string;
  readonly body: Readable;
  /** What the browser calls the file that it keeps. */
  readonly fileName: string;
}

/** What answers requests for one path of the section. */
export type PageHandler = (visit: Visit) => Promise<Page | Redirect | Download>;

/** One path of the section and what answers there. */
export interface PageRoute {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly handler: PageHandler;
}
