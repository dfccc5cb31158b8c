export interface ClientOptions {
  /** The address of the panel, without `/api/v1`: `https://panel.example`. */
  readonly baseUrl: string | URL;
  readonly token: string;
  /** How long a request may take, until its whole answer is read. Default: 30. */
  readonly timeoutSeconds?: number | undefined;
  /** How long a call may wait after 429, once; 0: not at all. Default: 60. */
  readonly maxWaitSeconds?: number | undefined;
  /** The most bytes of an answer, counted after decompression. Default: 67,108,864, which is 64 MiB. */
  readonly maxAnswerBytes?: number | undefined;
  /** Whether `baseUrl` may begin with `http://` if it is on another machine than this one. Default: false. */
  readonly allowHttp?: boolean | undefined;
  /** Sends the requests. Default: the `fetch` of the runtime. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** The longest time that a timer can wait for. */
export const LONGEST_SECONDS = 2_147_483;

/** Near the longest text of a runtime. */
const MOST_BYTES = 500_000_000;

/** Returns the options with their defaults. Throws a TypeError, which never contains a value, for a wrong one. */
export function checkOptions(options: ClientOptions) {
  const { baseUrl, token, timeoutSeconds = 30, maxWaitSeconds = 60, maxAnswerBytes = 64 * 2 ** 20 } = options;
  const { allowHttp = false, fetch = globalThis.fetch } = options;
  checkNames(options, OPTIONS);
  const address = addressOf(String(baseUrl));
  // The error of `fetch` for such a header would repeat the token.
  if (typeof token !== 'string' || !/^[!-~]+$/.test(token))
    throw new TypeError('token must be a token of the panel, without spaces and line breaks.');
  const upTo = (value: unknown, most: number) => typeof value === 'number' && value >= 0 && value <= most;
  check(
    upTo(timeoutSeconds, LONGEST_SECONDS) && timeoutSeconds > 0,
    `timeoutSeconds must be a number above 0, at most ${LONGEST_SECONDS}.`,
  );
  check(
    upTo(maxWaitSeconds, LONGEST_SECONDS),
    `maxWaitSeconds must be a number from 0 to ${LONGEST_SECONDS}.`,
  );
  check(
    upTo(maxAnswerBytes, MOST_BYTES) && Number.isInteger(maxAnswerBytes) && maxAnswerBytes > 0,
    `maxAnswerBytes must be a whole number from 1 to ${MOST_BYTES}.`,
  );
  check(typeof allowHttp === 'boolean', 'allowHttp must be a boolean.');
  check(typeof fetch === 'function', 'fetch must be a function.');
  check(
    allowHttp || isProtected(address),
    'baseUrl must begin with https://, because the network could read the token. The option allowHttp permits http://.',
  );
  return { address, token, timeoutSeconds, maxWaitSeconds, maxAnswerBytes, fetch };
}

/** Throws a TypeError with this sentence unless it holds. */
export function check(holds: boolean, sentence: string): void {
  if (!holds) throw new TypeError(sentence);
}

const OPTIONS: readonly (keyof ClientOptions)[] = [
  'baseUrl',
  'token',
  'timeoutSeconds',
  'maxWaitSeconds',
  'maxAnswerBytes',
  'allowHttp',
  'fetch',
];

/** Throws a TypeError for options that are no object, or have one of another name, such as a misspelt one. */
export function checkNames(options: object, known: readonly string[]): void {
  const unknown = Object.keys(Object(options)).find((name) => !known.includes(name));
  const named = unknown === undefined ? '' : `Unknown option ${unknown}. `;
  check(Object(options) === options && !named, `${named}The options can only be ${known.join(', ')}.`);
}

function addressOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url && /^https?:$/.test(url.protocol) && url.href === url.origin + url.pathname) {
    const address = url.href.replace(/^(.*[^/])\/*$/, '$1');
    check(!address.endsWith('/api/v1'), 'baseUrl must be the address of the panel, without /api/v1.');
    return address;
  }
  throw new TypeError(
    'baseUrl must be an address such as https://panel.example, without a password or query.',
  );
}

/** Whether the network cannot read what is sent: it is encrypted, or does not leave this machine. */
function isProtected(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || /^(.+\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/.test(hostname);
}
