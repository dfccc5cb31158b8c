import { METHODS } from 'node:http';
import Router from '@koa/router';
import { ApiError } from '../lib/errors/ApiError';
import type { ErrorCode } from '../lib/errors/errorCodes';
import type { Installation } from '../lib/Installation';
import { API_PATH, pathOf, successMessage } from '../lib/operations/Operation';
import { type Asked, answerRequest } from '../lib/requests/answerRequest';
import type { Endpoint } from '../lib/requests/Endpoint';
import { type Answer, answerInEnvelope } from './answerInEnvelope';
import { authenticate } from './authenticate';
import { KeptAnswers } from './KeptAnswers';
import { limitRate } from './limitRate';
import { logRequest } from './logRequest';
import { Pipeline } from './Pipeline';
import { readQuery } from './readQuery';
import { requireScope } from './requireScope';
import { OpenResponses } from './responses';

/** A router whose routes for all methods also match methods unknown to Node, which HTTP/2 accepts. */
class RouterOfEveryMethod extends Router {
  override match(path: string, method: string) {
    // Methods are case-sensitive: `get` is not GET.
    const matched = super.match(path, METHODS.includes(method) ? method : 'POST');
    // The routes that are left in `path` are those for which `allowedMethods` of a panel's router would answer.
    return { ...matched, path: [] };
  }
}

/** Creates the router for every request below API_PATH, including unknown paths and wrong methods. */
export function createRouter(installation: Installation): Router {
  const { tokenLookup, limits, lists, options, requests, sources } = installation;
  const router = new RouterOfEveryMethod({ prefix: API_PATH, strict: true, sensitive: true });
  const responses = new OpenResponses();
  const kept = new KeptAnswers();

  // Each step receives the value of the previous one. The endpoint is null for an unknown path.
  const pipelineOf = (endpoint: Endpoint | null) =>
    new Pipeline(logRequest(endpoint, requests, responses, options.tokenPrefix))
      .use(answerInEnvelope(options.deadlineMs, kept))
      .use(authenticate(tokenLookup))
      .use(limitRate(limits));

  for (const endpoint of installation.endpoints) {
    const path = pathOf(endpoint);
    const message = successMessage(endpoint);
    const answer = async (asked: Asked): Promise<Answer> => ({
      message,
      body: await answerRequest(asked, lists),
    });
    const serve = pipelineOf(endpoint)
      .use(requireScope(sources))
      .use(readQuery(options.tokenPrefix))
      .end(answer);
    const refuseMethod = pipelineOf(endpoint).end(refuse('method_not_allowed'));
    // One route for all methods: the router tests the path of each route for each request.
    router.all(path, (ctx, next) => (isRead(ctx.method) ? serve : refuseMethod)(ctx, next));
  }
  router.all(['/', '{/*path}'], pipelineOf(null).end(refuse('not_found')));
  return router;
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

function refuse(code: ErrorCode) {
  return async (): Promise<never> => {
    throw new ApiError(code);
  };
}
