import { METHODS } from 'node:http';
import Router from '@koa/router';
import compose from 'koa-compose';
import type { Installation } from '../lib/Installation';
import { HeadStart } from '../lib/limiter/HeadStart';
import type { Operation } from '../lib/operations/Operation';
import { API_PATH, pathOf } from '../lib/operations/OperationFacts';
import { admit } from './admit';
import { answerInEnvelope } from './answerInEnvelope';
import { answerOperation } from './answerOperation';
import { authenticate } from './authenticate';
import { countRequest } from './countRequest';
import { countUse } from './countUse';
import { logRequest } from './logRequest';
import { readQuery } from './readQuery';
import { refuse } from './refuse';
import { requireScope } from './requireScope';

/** A router whose routes for all methods are also for those that Node does not know, which HTTP/2 lets through. */
class RouterOfEveryMethod extends Router {
  override match(path: string, method: string) {
    // The letter case of a method matters: `get` is not GET.
    return super.match(path, METHODS.includes(method) ? method : 'POST');
  }
}

/** The line that every request below API_PATH goes through, unknown paths and wrong methods included. */
export function createRouter(operations: readonly Operation[], installation: Installation): Router {
  const router = new RouterOfEveryMethod({ prefix: API_PATH, strict: true, sensitive: true });
  const names = new Map(operations.map((operation) => [API_PATH + pathOf(operation), operation.name]));
  const headStart = new HeadStart();
  // Composed here, once: the router composes what it is given anew for each request.
  router.use(
    compose([
      logRequest(installation.log, new Set(names.keys()), headStart),
      answerInEnvelope(installation.options.deadlineMs),
      admit(installation.tokenLookup),
      authenticate(),
      countUse(installation.usage, names),
      countRequest(installation, headStart),
    ]),
  );
  for (const operation of operations) {
    const path = pathOf(operation);
    router.get(
      path,
      compose([
        requireScope(operation),
        readQuery(operation, installation),
        answerOperation(operation, installation),
      ]),
    );
    router.all(path, refuse('method_not_allowed'));
  }
  // The router's own middleware runs on matched routes only, so the rest must match too.
  router.all(['/', '{/*path}'], refuse('not_found'));
  return router;
}
