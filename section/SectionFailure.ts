/** The reasons why the section refuses a request: the status, and a sentence for the administrator. */
const FAILURES = {
  forbidden: [403, 'You may not administer the API.'],
  cross_site: [403, 'This form was not sent from this page. Nothing was changed.'],
  form_stale: [403, 'This form is too old or not yours. Nothing was changed; open the page again.'],
  form_unreadable: [400, 'This form cannot be read.'],
  form_too_long: [413, 'This form is too long.'],
  not_found: [404, 'There is no such page.'],
  unavailable: [503, 'The database does not answer at the moment. Try again shortly.'],
  internal: [500, 'Something went wrong on the server. Its log says more.'],
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
