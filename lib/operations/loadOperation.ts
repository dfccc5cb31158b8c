import { ApiError } from '../errors/ApiError';
import type { Installation } from '../Installation';
import type { Call } from './Call';
import type { Operation } from './Operation';

/** The operation's data without the resource's name: the items of a list, or the fields of an object. */
export async function loadOperation(
  operation: Operation,
  call: Call,
  installation: Installation,
): Promise<object> {
  if (operation.kind === 'object') return operation.load(call, installation);
  const source = installation.sources.get(operation.name);
  if (!source) throw new ApiError('resource_unavailable');
  return { items: await source.rows() };
}
