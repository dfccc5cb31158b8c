/** What a panel knows of a request besides the `Request`. */
export interface FetchInfo {
  /**
   * The IP address of the connection's other end: of the client, or of the proxy. If it is undefined and the panel has no
   * proxies, the client has left: the request is answered with 499.
   */
  readonly address?: string | undefined;
  /** Whether the connection uses TLS. The URL of a `Request` does not say that in every framework. Default: false. */
  readonly secure?: boolean | undefined;
  /** The URL that the client sent, if the framework has cut the beginning of its path off. Default: that of the request. */
  readonly url?: string | undefined;
  /** Becomes `ctx.state`: what the panel's login has found, for `authorize` and `account`. Default: an empty object. */
  readonly state?: object | undefined;
}

/**
 * Answers a `Request`. It returns undefined if the path is not its own, and has not touched the request then.
 *
 * It throws an Error if the panel says neither the address nor how many proxies it has, or if the body of the request was
 * read before, and a TypeError that names an unknown or wrong property of `info`. The promise does not reject. If the client
 * leaves before the answer begins, it resolves to an empty one with status 499.
 */
export type Fetcher = (request: Request, info?: FetchInfo) => Promise<Response> | undefined;
