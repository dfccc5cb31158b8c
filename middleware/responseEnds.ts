import type { EventEmitter } from 'node:events';
import { constants, type ServerHttp2Stream } from 'node:http2';
import type { Context } from 'koa';
import type { ApiRequest, Delivery } from '../lib/requests/ApiRequest';

/**
 * Returns a function whose promise resolves when a response has ended: sent, broken off, or without a connection. Node
 * emits `close` only on the response that owns the socket. Responses that wait after it, as with pipelined requests,
 * learn here that the socket was closed.
 */
export function responseEnds(): (ctx: Context) => Promise<void> {
  const endsByConnection = new WeakMap<EventEmitter, Set<() => void>>();

  // One listener for all responses of a connection, because Node warns of more than ten.
  function endsOn(ctx: Context): Set<() => void> {
    const connection = connectionOf(ctx);
    const known = endsByConnection.get(connection);
    if (known) return known;
    const ends = new Set<() => void>();
    endsByConnection.set(connection, ends);
    connection.once('close', () => {
      for (const end of ends) end();
    });
    const stream = http2Stream(ctx);
    if (stream) closeIfReset(stream);
    return ends;
  }

  return (ctx) =>
    new Promise((resolve) => {
      // `close` was already emitted.
      if (isOver(ctx)) return resolve();
      const ends = endsOn(ctx);
      const end = () => {
        ends.delete(end);
        resolve();
      };
      ends.add(end);
      ctx.res.once('close', end);
    });
}

/**
 * Node leaves a stream open that its client has reset with NO_ERROR: it only emits `aborted` or, if the whole answer is
 * written already, the `end` of the request.
 */
function closeIfReset(stream: ServerHttp2Stream): void {
  const close = () => setImmediate(() => stream.destroy());
  stream.once('aborted', close);
  stream.once('end', () => {
    // The answer may also be on its way. Then it is written completely before the client answers a ping.
    if (stream.closed && !stream.writableFinished) stream.session?.ping(close);
  });
}

export function isOver(ctx: Context): boolean {
  return connectionOf(ctx).closed || ctx.res.closed;
}

/** The status and the bytes of a response that has ended, as far as they were sent. */
export function deliveryOf(ctx: Context, { broken, bufferedBytes, streamedBytes }: ApiRequest): Delivery {
  const isWhole = broken === undefined && wasSent(ctx);
  return {
    // A request that is not answered yet has Koa's initial status, 404.
    status: isWhole || wasBegun(ctx) ? ctx.status : null,
    aborted: !isWhole,
    bytes: streamedBytes ?? (isWhole ? bufferedBytes : 0),
  };
}

/** Bun leaves the socket to a finished response, and does not call one finished whose client has left before. */
const LEAVES_SOCKET = 'bun' in process.versions;

function wasSent(ctx: Context): boolean {
  const stream = http2Stream(ctx);
  const { socket } = ctx.res;
  // The connection of a `Response` knows.
  if (!stream && socket && 'delivered' in socket) return socket.delivered === true;
  // Node takes the socket from a finished response. One that waits after others never had a socket.
  if (!stream) return ctx.res.writableFinished && (LEAVES_SOCKET || !socket);
  const isReset = stream.aborted || stream.rstCode !== constants.NGHTTP2_NO_ERROR;
  return stream.headersSent && stream.writableFinished && !isReset;
}

function wasBegun(ctx: Context): boolean {
  return ctx.res.headersSent && (http2Stream(ctx) !== undefined || ctx.res.socket !== null);
}

/** The connection of a response: its stream over HTTP/2, its socket over HTTP/1. */
export function connectionOf(ctx: Context) {
  // Node takes the socket from a request of which the body was not read to its end.
  return http2Stream(ctx) ?? ctx.req.socket ?? ctx.res.socket;
}

/** Breaks a response off, so that no client mistakes a part of it for the whole. */
export function breakOff(ctx: Context): void {
  const stream = http2Stream(ctx);
  if (stream) stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else ctx.res.destroy();
}

/** The stream of a response over HTTP/2; undefined over HTTP/1. */
function http2Stream({ res }: Pick<Context, 'res'>): ServerHttp2Stream | undefined {
  return 'stream' in res ? (res.stream as ServerHttp2Stream) : undefined;
}
