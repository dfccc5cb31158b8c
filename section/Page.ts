import type { Html, Part } from './html';
import type { NavigationRow, SectionRequest } from './SectionRequest';

/** Handles the requests for one path of the section. */
export type PageHandler = (request: SectionRequest) => Promise<Answer>;

export type Answer = Page | Redirect | Download;

export interface Page {
  readonly title: string;
  /** A line below the title. */
  readonly subtitle?: Html;
  /** Buttons and links beside the title; below it on a narrow screen. */
  readonly actions?: Html | null;
  readonly content: Html;
  /** Why a request was not carried out, shown above the content. */
  readonly problem?: Part;
  /** Whether the page shows the section's notices, such as that the API is off. Default false. */
  readonly hasNotices?: boolean;
  /** Default: 400 if there is a problem, else 200. */
  readonly status?: number;
}

/** Redirects to another page, given by its path below the section's. */
export interface Redirect {
  readonly goTo: string;
  /** What was done, which that page says. */
  readonly done?: Html;
}

/** A path of a section, with what handles its requests. */
export interface PageRow extends NavigationRow {
  readonly get: PageHandler;
  readonly post?: PageHandler;
  /** Whether the answer to its form shows a new token. */
  readonly createsToken?: true;
}

interface Download {
  readonly fileName: string;
  readonly body: Iterable<string> | AsyncIterable<string>;
}
