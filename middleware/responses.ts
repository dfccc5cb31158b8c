import type { EventEmitter } from 'node:events';
import { constants, type ServerHttp2Stream } from 'node:http2';
import type { Context } from 'koa';
import type { ApiRequest, Delivery } from '../lib/requests/ApiRequest';

/**
 * The responses that are not over. Node emits `close` only on the response that owns the socket: those that wait behind
 * it, as with pipelined requests, learn of a closed socket here.
 */
export class OpenResponses {
  readonly #ends = new WeakMap<EventEmitter, Set<() => void>>();

  /** Resolves when the response is over: sent, broken off, or left without a connection. */
  over(ctx: Context): Promise<void> {
    // `close` was emitted already.
    if (isOver(ctx)) return Promise.resolve();
    return new Promise((resolve) => {
      const ends = this.#endsOn(connectionOf(ctx));
      const end = () => {
        ends.delete(end);
        resolve();
      };
      ends.add(end);
      ctx.res.once('close', end);
    });
  }

  // One listener for all responses of a connection: Node warns of more than ten.
  #endsOn(connection: EventEmitter): Set<() => void> {
    const known = this.#ends.get(connection);
    if (known) return known;
    const ends = new Set<() => void>();
    this.#ends.set(connection, ends);
    connection.once('close', () => {
      for (const end of ends) end();
    });
    return ends;
  }
}

export function isOver(ctx: Context): boolean {
  return connectionOf(ctx).closed || ctx.res.closed;
}

/** The status and the sent bytes of a response that is over. */
export function deliveryOf(ctx: Context, { broken, streamedBytes }: ApiRequest): Delivery {
  const isWhole = broken === undefined && wasSent(ctx);
  const length = isWhole && ctx.method !== 'HEAD' ? Number(ctx.response.get('Content-Length')) || 0 : 0;
  return {
    // Until it is answered a request has the status that Koa begins with, 404.
    status: isWhole || wasBegun(ctx) ? ctx.status : null,
    aborted: !isWhole,
    bytes: streamedBytes ?? length,
  };
}

function wasSent(ctx: Context): boolean {
  const stream = http2Stream(ctx);
  // Node takes the socket from a response that is finished. One that waits behind others never had any.
  if (!stream) return ctx.res.writableFinished && !ctx.res.socket;
  return stream.headersSent && stream.writableFinished && stream.rstCode === constants.NGHTTP2_NO_ERROR;
}

function wasBegun(ctx: Context): boolean {
  return ctx.res.headersSent && (http2Stream(ctx) !== undefined || ctx.res.socket !== null);
}

/** The connection of a response: its stream over HTTP/2, its socket over HTTP/1. */
export function connectionOf(ctx: Context) {
  return http2Stream(ctx) ?? ctx.req.socket;
}

/** Breaks a response off, so that no client mistakes half of it for the whole. */
export function breakOff(ctx: Context): void {
  const stream = http2Stream(ctx);
  if (stream) stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else ctx.res.destroy();
}

/** The stream of a response over HTTP/2; undefined over HTTP/1. */
function http2Stream({ res }: Pick<Context, 'res'>): ServerHttp2Stream | undefined {
  return 'stream' in res ? (res.stream as ServerHttp2Stream) : undefined;
}
