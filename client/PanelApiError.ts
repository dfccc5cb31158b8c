import type { ErrorCode, ErrorDetails } from '../lib/errors/errorCodes';

/** The API refused a request or failed, or something else answered in its place. */
export class PanelApiError extends Error {
  /** The API's code; null if the answer is not the API's own, such as the error page of a proxy. */
  declare readonly code: ErrorCode | null;
  /** The HTTP status. */
  declare readonly status: number;
  /** The other members of `error`, such as `parameter`. */
  declare readonly details: ErrorDetails;
  /** The request's id in the log of the panel, if the answer names it. */
  declare readonly requestId: string | null;

  constructor(message: string, facts: Pick<PanelApiError, 'code' | 'status' | 'details' | 'requestId'>) {
    super(message);
    this.name = 'PanelApiError';
    Object.assign(this, facts);
  }
}

export const ANOTHER_FORM = 'The answer is not in the form of the API.';

/** The error of an answer that is not the API's own. It contains nothing of the answer but its status and id. */
export function unexpectedAnswer(message: string, response?: Response): PanelApiError {
  const { status = 200, headers } = response ?? {};
  const [requestId = null] = REQUEST_ID.exec(headers?.get('X-Request-Id') ?? '') ?? [];
  return new PanelApiError(message, { code: null, status, details: {}, requestId });
}

/** The error of an answer with these members `message` and `error`. If they are not the API's, its form is another one. */
export function refusedAnswer(response: Response, message: unknown, error: object): PanelApiError {
  const members = error as Readonly<Record<string, unknown>>;
  const [text, code] = [shown(message), shown(members.code)];
  const unexpected = unexpectedAnswer(ANOTHER_FORM, response);
  if (text === undefined || code === undefined || !CODE.test(code)) return unexpected;
  const details = Object.entries(DETAILS).map(([name, read]) => [name, read(members[name])] as const);
  return new PanelApiError(text, {
    ...unexpected,
    code: code as ErrorCode,
    details: Object.fromEntries(details.filter(([, value]) => value !== undefined)),
  });
}

const CODE = /^[a-z_]{1,40}$/;

/** What a token has behind its prefix: a server may repeat what it was sent. */
const SECRET = /[A-Za-z0-9]{46,}/g;
const REQUEST_ID = /^(?!.*[A-Za-z0-9]{46})[\w.-]{1,128}$/;

const LONGEST = 1000;

/** A text of an answer in one line, cut, without control characters and tokens: terminals and logs show it. */
function shown(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const line = text.replace(SECRET, '…').replace(/[\p{C}\p{Z}]+/gu, ' ');
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

const shownList = (texts: unknown) =>
  Array.isArray(texts) ? texts.slice(0, LONGEST).flatMap((text) => shown(text) ?? []) : undefined;

/** Reads each detail; undefined for another kind of value than the API sends. */
const DETAILS: { readonly [K in keyof ErrorDetails]-?: (value: unknown) => ErrorDetails[K] } = {
  parameter: shown,
  expected: shown,
  allowed: shownList,
  field: shown,
  supported: shownList,
  required_scope: shown,
  address: shown,
  reason: shown,
  retry_after: (value) => (typeof value === 'number' ? value : undefined),
};
