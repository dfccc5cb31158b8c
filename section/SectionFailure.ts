/** The reasons why the section refuses a request: the status, and a sentence for the administrator. */
const FAILURES = {
  forbidden: [403, 'You are not allowed to administer the API.'],
  cross_site: [403, 'The form was not sent from the API section. Nothing was changed.'],
  form_stale: [
    403,
    'The form has expired or belongs to another administrator. Nothing was changed. Open the page again.',
  ],
  form_unreadable: [400, 'The form cannot be read.'],
  form_too_long: [413, 'The form is too large.'],
  not_found: [404, 'This page does not exist.'],
  unavailable: [503, 'The database does not respond at the moment. Try again later.'],
  internal: [500, 'An internal error occurred. The log of the server contains details.'],
} as const satisfies Readonly<Record<string, readonly [status: number, sentence: string]>>;

type FailureCode = keyof typeof FAILURES;

/** A request that the section refuses. */
export class SectionFailure extends Error {
  override readonly name = 'SectionFailure';
  readonly code: FailureCode;
  readonly status: number;

  constructor(code: FailureCode, cause?: unknown) {
    const [status, sentence] = FAILURES[code];
    super(sentence, { cause });
    this.code = code;
    this.status = status;
  }
}
