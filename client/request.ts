import { PanelApiError } from './PanelApiError';
import { parseExactJson } from './parseExactJson';

export interface ClientOptions {
  /** The address of the panel, without `/api/v1`: `https://panel.example`. */
  readonly baseUrl: string | URL;
  readonly token: string;
  /** How long a request may take, until its whole answer is read. Default: 30. */
  readonly timeoutSeconds?: number | undefined;
  /** How long a call may wait after 429, once; 0: not at all. Default: 60. */
  readonly maxWaitSeconds?: number | undefined;
  /** Sends the requests. Default: the `fetch` of the runtime. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

export interface CallOptions {
  /** Ends the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export type Members = Readonly<Record<string, unknown>>;

/** Returns `data` of the answer of a resource. */
export type Request = (name: string, parameters: Members, options?: CallOptions) => Promise<Members>;

/** Returns the function that sends the requests. The token is in its closure, where no inspection shows it. */
export function createRequest(options: ClientOptions): Request {
  const { token, timeoutSeconds = 30, maxWaitSeconds = 60, fetch = globalThis.fetch } = options;
  const address = addressOf(String(options.baseUrl));
  // The error of `fetch` for such a header would repeat the token.
  if (typeof token !== 'string' || !/^[!-~]+$/.test(token))
    throw new TypeError('token must be a token of the panel, without spaces and line breaks.');
  const headers = { Accept: 'application/json', Authorization: `Bearer ${token}` };

  return async (name, parameters, { signal } = {}) => {
    const url = new URL(`${address}/api/v1/${name}.php`);
    for (const [parameter, value] of Object.entries(parameters)) {
      const texts = [value].flat().map((one) => (one instanceof Date ? one.toISOString() : one));
      if (value !== undefined) url.searchParams.set(parameter, texts.join());
    }
    for (let attempt = 1; ; attempt += 1) {
      const timeout = AbortSignal.timeout(timeoutSeconds * 1000);
      const ended = signal ? AbortSignal.any([signal, timeout]) : timeout;
      // A redirect must not take the token elsewhere.
      const response = await fetch(url, { headers, redirect: 'error', signal: ended });
      const text = await response.text();
      const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
      const mayWait = response.status === 429 && attempt === 1 && seconds <= maxWaitSeconds;
      if (!mayWait) return dataOf(response, text);
      await wait(seconds, signal);
    }
  };
}

function addressOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url && /^https?:$/.test(url.protocol) && url.href === url.origin + url.pathname)
    return url.href.replace(/\/+$/, '');
  throw new TypeError(
    'baseUrl must be an address such as https://panel.example, without a password or query.',
  );
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
function dataOf({ ok, status, headers }: Response, text: string): Members {
  const { success, data, message, error } = envelopeOf(text);
  if (ok && success === true && isObject(data)) return data;
  const refused = success === false && isObject(error);
  const { code = null, ...details } = refused ? error : {};
  throw new PanelApiError(refused ? String(message) : 'The answer is not in the form of the API.', {
    code: code as PanelApiError['code'],
    status,
    details,
    requestId: headers.get('X-Request-Id'),
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
