import type { Middleware } from 'koa';
import { sharedRun } from '../lib/async/Batcher';
import type { Installation } from '../lib/Installation';
import { toJson } from '../lib/json/toJson';
import { answerList } from '../lib/lists/answerList';
import type { Body } from '../lib/operations/Body';
import type { Call } from '../lib/operations/Call';
import type { ListOperation, ObjectOperation, Operation } from '../lib/operations/Operation';
import { WholeBody } from '../lib/operations/WholeBody';
import { callOf, type RequestState, requestState, tokenOf } from './RequestState';

/** Loads the operation's data; the envelope is made further out. */
export function answerOperation(operation: Operation, installation: Installation): Middleware {
  const message = `${operation.title} loaded.`;
  const load =
    operation.kind === 'list' ? listLoader(operation, installation) : objectLoader(operation, installation);
  return async function answerOperation(ctx) {
    const state = requestState(ctx);
    const body = await load(state, countedOf(state));
    // Nobody would read them to their end.
    if ('pieces' in body && state.end.reason !== undefined) await body.pieces.return();
    state.result = { message, body };
  };
}

type Load = (state: RequestState, counted: Promise<void>) => Promise<Body>;

function countedOf({ counted }: RequestState): Promise<void> {
  if (!counted) throw new Error('The request has not been through countRequest.');
  return counted;
}

function listLoader({ name: resource }: ListOperation, installation: Installation): Load {
  return async (state, counted) => {
    const { query, end } = state;
    if (!query) throw new Error('The request has not been through readQuery.');
    const { id: tokenId } = tokenOf({ state: { panelApi: state } });
    return answerList({ resource, query, tokenId, counted, end }, installation);
  };
}

function objectLoader({ name: resource, load, alike }: ObjectOperation, installation: Installation): Load {
  const loadBody = async (call: Call) =>
    new WholeBody([toJson({ resource, ...(await load(call, installation)) })]);
  const shared = new Map<string, typeof loadBody>();
  return async (state, counted) => {
    await counted;
    const call = callOf({ state: { panelApi: state } });
    const key = alike?.(call);
    if (key === undefined) return loadBody(call);
    const loadShared = shared.get(key) ?? sharedRun(loadBody);
    shared.set(key, loadShared);
    return loadShared(call);
  };
}
