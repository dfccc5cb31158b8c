import { type ClientOptions, checkNames, checkOptions, LONGEST_SECONDS } from './options';
import { ANOTHER_FORM, refusedAnswer, unexpectedAnswer } from './PanelApiError';
import { parseExactJson } from './parseExactJson';
import { parseItems } from './parseItems';
import { readText } from './readText';

export interface CallOptions {
  /** Ends the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface ConditionalOptions extends CallOptions {
  /** `etag` of an earlier result. If the data has not changed since then, the call returns null. */
  readonly etag: string | null;
}

export type Members = Readonly<Record<string, unknown>>;

export interface Requests {
  /** Returns the address of a resource with these parameters. */
  readonly urlOf: (name: string, parameters: Members) => URL;
  /**
   * Returns `data` of the answer, with its `etag`; null if it is still that of the options. If a whole list is wanted,
   * its `items` are a `WholeList`.
   */
  readonly send: (url: URL, call?: Partial<ConditionalOptions>, isWhole?: boolean) => Promise<Members | null>;
}

/** The items of a list as they arrive. It ends without an error only after the last one. */
export type WholeList = AsyncGenerator<unknown, void, undefined>;

/** Parameters whose texts the API does not read as values of a filter. */
const NO_FILTERS: readonly string[] = ['cursor', 'search', 'fields', 'sum'];

/** How many bytes of a list are parsed at once: V8 grows its space for new objects with what is held in between. */
const PIECE = 4096;

/** Returns what sends the requests. The token is in its closure, where no inspection shows it. */
export function createRequests(options: ClientOptions): Requests {
  const { address, token, timeoutSeconds, maxWaitSeconds, maxAnswerBytes, fetch } = checkOptions(options);
  const headers = { Accept: 'application/json', Authorization: `Bearer ${token}` };

  function urlOf(name: string, parameters: Members): URL {
    const url = new URL(`${address}/api/v1/${name}.php`);
    for (const [parameter, value] of Object.entries(parameters)) {
      const written = [value].flat().map((one) => {
        const text = one instanceof Date ? one.toISOString() : String(one ?? '');
        return NO_FILTERS.includes(parameter) ? text : writtenValue(text);
      });
      if (value !== undefined) url.searchParams.set(parameter, written.join());
    }
    return url;
  }

  const send: Requests['send'] = async (url, call = {}, isWhole = false) => {
    checkNames(call, ['signal', 'etag']);
    const { signal, etag = null } = call;
    const sent = etag === null ? headers : { ...headers, 'If-None-Match': etag };
    for (let attempt = 1; ; attempt += 1) {
      const { response, envelope } = await withSignal(timeoutSeconds, signal, async (ended) => {
        // A redirect must not take the token elsewhere.
        const response = await fetch(url, { headers: sent, redirect: 'error', signal: ended });
        if (isWhole && response.ok) return { response, envelope: { success: true, data: {} } };
        return { response, envelope: envelopeOf(await readText(response, maxAnswerBytes, ended)) };
      });
      const mayWait = attempt === 1 && (response.status === 429 || (isWhole && response.status === 503));
      const seconds = mayWait ? retryAfter(response, envelope) : Number.NaN;
      const list = isWhole && { items: wholeList(url, response, signal) };
      if (seconds >= 0 && seconds <= maxWaitSeconds) await wait(seconds, signal);
      else if (etag !== null && response.status === 304) return null;
      else return { ...dataOf(response, envelope), ...list, etag: response.headers.get('ETag') };
    }
  };

  async function* wholeList({ pathname }: URL, response: Response, signal?: AbortSignal): WholeList {
    const reader = response.body?.getReader();
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let part: Uint8Array | undefined;
    const readPiece = async () => {
      if (!part?.length) part = (await withSignal(timeoutSeconds, signal, async () => reader?.read()))?.value;
      try {
        const piece = decoder.decode(part?.subarray(0, PIECE), { stream: part !== undefined });
        part = part?.subarray(PIECE);
        return part && piece;
      } catch {
        throw new SyntaxError();
      }
    };
    try {
      const envelope = yield* parseItems(readPiece, maxAnswerBytes);
      const { resource, total, next_cursor: cursor } = dataOf(response, envelope);
      // Figures have a total, and a page a cursor.
      const isWhole = total === undefined && cursor === undefined && pathname.endsWith(`/${resource}.php`);
      if (!isWhole) throw new SyntaxError();
    } catch (error) {
      throw error instanceof SyntaxError ? unexpectedAnswer(ANOTHER_FORM, response) : error;
    } finally {
      reader?.cancel().catch(() => undefined);
    }
  }

  return { urlOf, send };
}

/** A value as the API reads it: where several are separated by commas, one with a comma is in double quotes. */
function writtenValue(text: string): string {
  return /^"|,/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The seconds to wait. A browser does not show the header of another origin, and a proxy may not send the body. */
function retryAfter(response: Response, { error }: Members): number {
  const { retry_after: seconds } = Object(error);
  if (typeof seconds === 'number') return seconds;
  const header = response.headers.get('Retry-After') ?? '';
  return header.endsWith('GMT') ? (Date.parse(header) - Date.now()) / 1000 : Number(header || Number.NaN);
}

/**
 * Settles like the task, or rejects as soon as the time is over or the signal ends. The task gets a signal for the same
 * purpose. Node 20 and 22 forget the signal of a `fetch`, and an `AbortSignal.timeout`, when they collect garbage after
 * the headers; the timer holds all that is needed here.
 */
async function withSignal<T>(
  seconds: number,
  signal: AbortSignal | undefined,
  task: (ended: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  let end = () => {};
  const ended = new Promise<never>((_resolve, reject) => {
    end = () => {
      const late = () => new DOMException('The request took longer than timeoutSeconds.', 'TimeoutError');
      const reason = signal?.aborted ? signal.reason : late();
      reject(reason);
      controller.abort(reason);
    };
  });
  const timer = setTimeout(end, seconds * 1000);
  signal?.addEventListener('abort', end);
  try {
    return await Promise.race([task(controller.signal), ended]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

function wait(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  const pause = (ended: AbortSignal) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, seconds * 1000);
      ended.addEventListener('abort', () => clearTimeout(timer));
    });
  return withSignal(LONGEST_SECONDS, signal, pause);
}

/** Returns `data` of the envelope. Throws a PanelApiError, which contains nothing of an answer in another form. */
function dataOf(response: Response, { success, data, message, error }: Members): Members {
  if (response.ok && success === true && isObject(data)) return data;
  if (success !== false || !isObject(error)) throw unexpectedAnswer(ANOTHER_FORM, response);
  throw refusedAnswer(response, message, error);
}

function envelopeOf(text: string): Members {
  try {
    return Object(parseExactJson(text));
  } catch {
    return {};
  }
}

const isObject = (value: unknown): value is Members => Object(value) === value;
