import { METHODS } from 'node:http';
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { API_PATH, pathOf, successMessage } from '../lib/fields/Operation';
import type { Installation } from '../lib/Installation';
import type { ApiRequest } from '../lib/requests/ApiRequest';
import { answerRequest } from '../lib/requests/answerRequest';
import type { Endpoint } from '../lib/requests/Endpoint';
import { type AnswerContent, answerInEnvelope } from './answerInEnvelope';
import { openRequest } from './openRequest';
import { responseEnds } from './responseEnds';

/** Returns how an installation answers requests: with their log line, and the envelope for every refusal. */
export function answering({ options, requests }: Installation) {
  const ended = responseEnds();
  const inEnvelope = answerInEnvelope(options.deadlineMs);
  return (
    endpoint: Endpoint | null,
    answer: (request: ApiRequest, ctx: Context) => Promise<AnswerContent>,
  ): Middleware => {
    const opened = openRequest(endpoint, requests, ended, options.tokenPrefix);
    return (ctx) => opened(ctx, (request) => inEnvelope(ctx, request, () => answer(request, ctx)));
  };
}

/** A router whose routes for all methods also match methods unknown to Node, which HTTP/2 accepts. */
export class RouterOfEveryMethod extends Router {
  override match(path: string, method: string) {
    // Methods are case-sensitive: `get` is not GET.
    const matched = super.match(path, METHODS.includes(method) ? method : 'POST');
    // The routes that are left in `path` are those for which `allowedMethods` of a panel's router would answer.
    return { ...matched, path: [] };
  }
}

/** Creates the router for every request below API_PATH, including unknown paths and wrong methods. */
export function createRouter(installation: Installation): Router {
  const router = new RouterOfEveryMethod({ prefix: API_PATH, strict: true, sensitive: true });
  const answered = answering(installation);
  const serve = (endpoint: Endpoint | null) =>
    answered(endpoint, async (request, ctx) => {
      const body = await answerRequest(request, ctx.querystring, installation);
      return { message: endpoint ? successMessage(endpoint) : '', body };
    });

  // One route for all methods: the router tests the path of each route for each request.
  for (const endpoint of installation.endpoints) router.all(pathOf(endpoint), serve(endpoint));
  router.all(['/', '{/*path}'], serve(null));
  return router;
}
