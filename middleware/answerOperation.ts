import type { Middleware } from 'koa';
import type { Installation } from '../lib/Installation';
import { toJson } from '../lib/json/toJson';
import { answerList } from '../lib/lists/answerList';
import type { Body } from '../lib/operations/Body';
import type { Operation } from '../lib/operations/Operation';
import { WholeBody } from '../lib/operations/WholeBody';
import { callOf, type RequestState, requestState } from './RequestState';

/** Loads the operation's data; the envelope is made further out. */
export function answerOperation(operation: Operation, installation: Installation): Middleware {
  const message = `${operation.title} loaded.`;
  return async function answerOperation(ctx) {
    const state = requestState(ctx);
    const body = await load(operation, state, installation);
    // Nobody would read them to their end.
    if ('pieces' in body && state.end.reason !== undefined) await body.pieces.return();
    state.result = { message, body };
  };
}

async function load(operation: Operation, state: RequestState, installation: Installation): Promise<Body> {
  const { name: resource } = operation;
  const { counted } = state;
  if (!counted) throw new Error('The request has not been through countRequest.');
  if (operation.kind === 'object') {
    await counted;
    const data = await operation.load(callOf({ state: { panelApi: state } }), installation);
    return new WholeBody([toJson({ resource, ...data })]);
  }
  if (!state.query) throw new Error('The request has not been through readQuery.');
  return answerList({ resource, query: state.query, counted, end: state.end }, installation);
}
