import { type ClientOptions, checkOptions } from './options';
import { ANOTHER_FORM, PanelApiError, unexpectedAnswer } from './PanelApiError';
import { parseExactJson } from './parseExactJson';
import { readText } from './readText';

export interface CallOptions {
  /** Ends the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export type Members = Readonly<Record<string, unknown>>;

/** Returns `data` of the answer of a resource. */
export type Request = (name: string, parameters: Members, options?: CallOptions) => Promise<Members>;

/** Returns the function that sends the requests. The token is in its closure, where no inspection shows it. */
export function createRequest(options: ClientOptions): Request {
  const { address, token, timeoutSeconds, maxWaitSeconds, maxAnswerBytes, fetch } = checkOptions(options);
  const headers = { Accept: 'application/json', Authorization: `Bearer ${token}` };

  return async (name, parameters, { signal } = {}) => {
    const url = new URL(`${address}/api/v1/${name}.php`);
    for (const [parameter, value] of Object.entries(parameters)) {
      const texts = [value].flat().map((one) => (one instanceof Date ? one.toISOString() : one));
      if (value !== undefined) url.searchParams.set(parameter, texts.join());
    }
    for (let attempt = 1; ; attempt += 1) {
      const { response, text } = await withSignal(timeoutSeconds, signal, async (ended) => {
        // A redirect must not take the token elsewhere.
        const response = await fetch(url, { headers, redirect: 'error', signal: ended });
        return { response, text: await readText(response, maxAnswerBytes, ended) };
      });
      const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
      const mayWait = response.status === 429 && attempt === 1 && seconds <= maxWaitSeconds;
      if (!mayWait) return dataOf(response, text);
      await wait(seconds, signal);
    }
  };
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
  return new Promise((resolve, reject) => {
    const timer = setTimeout(end, seconds * 1000);
    signal?.addEventListener('abort', end);
    function end() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    }
  });
}

/** Returns `data` of the envelope. Throws a PanelApiError, which contains nothing of an answer in another form. */
function dataOf(response: Response, text: string): Members {
  const { success, data, message, error } = envelopeOf(text);
  if (response.ok && success === true && isObject(data)) return data;
  if (success !== false || !isObject(error)) throw unexpectedAnswer(ANOTHER_FORM, response);
  const { code = null, ...details } = error;
  throw new PanelApiError(String(message), {
    code: code as PanelApiError['code'],
    status: response.status,
    details,
    requestId: response.headers.get('X-Request-Id'),
  });
}

function envelopeOf(text: string): Members {
  try {
    return Object(parseExactJson(text));
  } catch {
    return {};
  }
}

const isObject = (value: unknown): value is Members => Object(value) === value;
