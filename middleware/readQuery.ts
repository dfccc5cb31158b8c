import type { Context, Middleware } from 'koa';
import { ApiError } from '../lib/errors/ApiError';
import type { Installation } from '../lib/Installation';
import { accountFilters } from '../lib/lists/accountFilters';
import type { ListQuery } from '../lib/lists/ListQuery';
import { type Given, parseListQuery, shownName } from '../lib/lists/parseListQuery';
import type { Operation } from '../lib/operations/Operation';
import { requestState, tokenOf } from './RequestState';

/** Keeps a token of one account to what is that account's, and reads the parameters of the query. */
export function readQuery(operation: Operation, installation: Installation): Middleware {
  return async function readQuery(ctx, next) {
    const { accountId } = tokenOf(ctx);
    const given = () => parameters(ctx as Context);
    if (operation.kind === 'object') {
      if (operation.serverWide && accountId !== null) throw new ApiError('account_forbidden');
      refuseAny(given());
    } else {
      requestState(ctx).query = await readList(operation, installation, accountId, given);
    }
    await next();
  };
}

async function readList(
  operation: Operation,
  { sources }: Installation,
  accountId: string | null,
  given: () => Given,
): Promise<ListQuery> {
  const source = sources.get(operation.name);
  const report = await source?.report();
  if (!source || report?.state !== 'served') throw new ApiError('resource_unavailable');
  const own = accountFilters(operation, report, accountId);
  return parseListQuery(given(), {
    operation,
    report,
    own,
    accountId,
    accepts: (key) => source.accepts(key),
  });
}

function parameters({ querystring }: Context): Given {
  const given = new Map<string, string[]>();
  for (const [name, text] of new URLSearchParams(querystring)) {
    const texts = given.get(name);
    if (texts) texts.push(text);
    else given.set(name, [text]);
  }
  return given;
}

function refuseAny(given: Given): void {
  const [parameter] = given.keys();
  if (parameter === undefined) return;
  throw new ApiError('query_invalid', { parameter: shownName(parameter), supported: [] });
}
