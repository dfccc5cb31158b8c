import type { Context, Middleware } from 'koa';
import { ApiError } from '../lib/errors/ApiError';
import type { Installation } from '../lib/Installation';
import { accountFilters } from '../lib/lists/accountFilters';
import type { ListQuery } from '../lib/lists/ListQuery';
import { LONGEST_NAME, parseListQuery } from '../lib/lists/parseListQuery';
import type { Operation } from '../lib/operations/Operation';
import { printable } from '../lib/text/printable';
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
  given: () => ReadonlyMap<string, string>,
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

/** The parameters by their names. Throws ApiError `query_invalid` for one that is repeated. */
function parameters({ querystring }: Context): ReadonlyMap<string, string> {
  const given = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(querystring)) {
    if (given.has(name)) throw new ApiError('query_invalid', { parameter: printable(name, LONGEST_NAME) });
    given.set(name, value);
  }
  return given;
}

function refuseAny(given: ReadonlyMap<string, string>): void {
  const [parameter] = given.keys();
  if (parameter === undefined) return;
  throw new ApiError('query_invalid', { parameter: printable(parameter, LONGEST_NAME), supported: [] });
}
