import { INT64 } from '../fields/scalars';

/**
 * Returns a part of the document in which a schema of several types is an `anyOf` of one type each: many generators know
 * no other list of types than one type and `null`. Null goes with the first type, because versions before OpenAPI 3.1,
 * to which documents are converted, have no type `null`.
 */
export function withOneType<T>(part: T): T {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map(withOneType) as T;
  const members = Object.entries(part).map(([name, member]) => [name, withOneType(member)]);
  const { type, items, ...rest } = Object.fromEntries(members);
  const types = Array.isArray(type) ? type.filter((one) => one !== 'null') : [];
  if (types.length < 2) return Object.fromEntries(members);
  const anyOf = types.map((one, index) => ({
    ...(one === 'integer' && INT64),
    type: index === 0 && type.includes('null') ? [one, 'null'] : one,
    ...(one === 'array' && { items }),
  }));
  return { ...rest, anyOf };
}
