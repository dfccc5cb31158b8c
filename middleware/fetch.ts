import { ServerResponse } from 'node:http';
import type { RouterContext } from '@koa/router';
import type { Context, Next } from 'koa';
import { clientAddress, publicPath } from '../lib/addresses/requestOrigin';
import { optionsValidator } from '../lib/options/validateOptions';
import { CLIENT_LEFT, FetchConnection, FetchRequest } from './FetchConnection';
import type { Fetcher, FetchInfo } from './Fetcher';
import { answerOf, type HostedRouter, ownUrl, pathOfUrl } from './HostedRouter';

/** Whether the log and the tokens' bounds would know it. */
const isAddress = (address: unknown) =>
  typeof address === 'string' && clientAddress({ ip: address }) !== 'unknown';

const validateInfo = optionsValidator<FetchInfo, FetchInfo>('fetcher', {
  properties: {
    address: { holds: isAddress, expects: 'must be an IP address as text' },
    secure: { type: 'boolean', expects: 'must be true or false' },
    url: { type: 'string', expects: 'must be a URL or a path as text' },
    state: { type: 'object', expects: 'must be an object' },
  },
});

/** Returns a router's fetcher, at any mount path. */
export function fetcherOf(hosted: HostedRouter): Fetcher {
  const { router, prefix, log, proxies } = hosted;
  const answer = answerOf(hosted, completeForFetch);
  return (request, given) => {
    const { pathname, search } = new URL(request.url);
    const originalUrl = (pathOfClient(request.url, given?.url) ?? pathname) + search;
    const url = ownUrl(pathname + search, originalUrl, prefix);
    if (!router.match(pathOfUrl(url), request.method).route) return undefined;
    const info = validateInfo(given ?? {});
    if (info.address === undefined && proxies === 0) {
      if (!('address' in info)) throw log.misuse(NO_ADDRESS);
      // Servers do not know the address any more if the client has left.
      log.warnOnce(UNKNOWN_ADDRESS);
      return Promise.resolve(new Response(null, { status: CLIENT_LEFT }));
    }
    if (request.bodyUsed || request.body?.locked) throw log.misuse(BODY_READ);
    const connection = new FetchConnection(request, info);
    const response = new ServerResponse(
      new FetchRequest(connection, request, { url, originalUrl }, info.state),
    );
    connection.carry(response);
    void answer(response.req, response);
    return connection.response;
  };
}

/** The path of the URL that the client sent, normalized as that of a `Request`. */
function pathOfClient(url: string, sent: unknown): string | undefined {
  return typeof sent === 'string' && URL.canParse(sent, url) ? new URL(sent, url).pathname : undefined;
}

/** Takes the panel's state, and makes a relative `Location` a path, because some frameworks read it as one of their own. */
async function completeForFetch(ctx: RouterContext, next: Next): Promise<void> {
  const { panelState } = ctx.req as FetchRequest;
  if (panelState) ctx.state = panelState;
  await next();
  // Node would write chunks, which a `Response` has none of.
  ctx.remove('Transfer-Encoding');
  const location = ctx.response.get('Location');
  if (!location || /^(?:\/|[a-z][a-z\d+.-]*:)/i.test(location)) return;
  const { pathname, search, hash } = new URL(
    location,
    `http://panel${publicPath(ctx as unknown as Context)}`,
  );
  ctx.set('Location', pathname + search + hash);
}

const NO_ADDRESS =
  'panel-api fetcher needs the address of the connection: pass { address } with each request, or call fetcher({ proxies: 1 }) behind a proxy';

const UNKNOWN_ADDRESS =
  'panel-api fetcher got an undefined address, as of a client that has left; if all requests are answered with 499, pass the address, or call fetcher({ proxies: 1 }) behind a proxy';

const BODY_READ =
  'panel-api fetcher got a request of which the body was read: pass the request before the panel reads it, or a clone';
