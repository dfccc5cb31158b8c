import type { Filters, Key } from '../sources/Source';

/** What a request asks of a list. */
export interface ListQuery {
  /** Which rows, those of the token's account alone if it has one. */
  readonly filters: Filters;
  /** Only what was changed at this time or later, in seconds since 1970; null for all. */
  readonly updatedSince: number | null;
  /** The account that the token is bound to. */
  readonly accountId: string | null;
  /** The page; null for the whole list. */
  readonly page: { readonly limit: number; readonly after: Key | null } | null;
  /** The fields to show; null for all. */
  readonly fields: readonly string[] | null;
}
