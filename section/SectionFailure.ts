import { DatabaseFailure } from '../lib/database/DatabaseFailure';

/** The reasons why the section refuses a request, with the status. The sentence is the text `failure.` and the code. */
const FAILURES = {
  forbidden: 403,
  cross_site: 403,
  foreign_fetch: 403,
  form_stale: 403,
  // The panel wants the person to sign in again first.
  not_fresh: 403,
  form_unreadable: 400,
  form_too_long: 413,
  not_found: 404,
  unavailable: 503,
  tables_newer: 503,
  // It is unknown whether a new token was created.
  token_unshown: 503,
  internal: 500,
} as const;

export class SectionFailure extends Error {
  override readonly name = 'SectionFailure';
  readonly code: keyof typeof FAILURES;
  readonly status: number;

  constructor(code: keyof typeof FAILURES, cause?: unknown) {
    super(code, { cause });
    this.code = code;
    this.status = FAILURES[code];
  }
}

/** Whether a later version of the module has upgraded the tables. */
export function isTablesNewer(error: unknown): boolean {
  return error instanceof DatabaseFailure && error.code === 'TABLES_NEWER';
}
