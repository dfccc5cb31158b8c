import type { EventEmitter } from 'node:events';
import type { Context } from 'koa';
import { http2Stream } from './http2Stream';

/**
 * The responses that are not over. Node emits `close` only on the response that owns the socket: those that wait behind
 * it, as with pipelined requests, learn of a closed socket here.
 */
export class OpenResponses {
  readonly #ends = new WeakMap<EventEmitter, Set<() => void>>();

  /** Resolves when the response is over: sent, broken off, or left without a connection. */
  over(ctx: Context): Promise<void> {
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

/** Whether the response was over before anything was done, so that no event tells of it any more. */
export function isOver(ctx: Context): boolean {
  return connectionOf(ctx).closed || ctx.res.closed;
}

function connectionOf(ctx: Context) {
  return http2Stream(ctx) ?? ctx.req.socket;
}
