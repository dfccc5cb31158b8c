import type { ServerHttp2Stream } from 'node:http2';
import type { Context } from 'koa';

/** The stream of a response over HTTP/2; undefined over HTTP/1. */
export function http2Stream({ res }: Pick<Context, 'res'>): ServerHttp2Stream | undefined {
  return 'stream' in res ? (res.stream as ServerHttp2Stream) : undefined;
}
