import { INT64 } from '../fields/scalars';

/**
 * Returns a part of the document in which a schema of several types is an `anyOf` of one type each: many generators know
 * no other list of types than one type and `null`.
 */
export function withOneType<T>(part: T): T {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map(withOneType) as T;
  const members = Object.entries(part).map(([name, member]) => [name, withOneType(member)]);
  const { type, items, ...rest } = Object.fromEntries(members);
  if (!Array.isArray(type) || type.filter((one) => one !== 'null').length < 2)
    return Object.fromEntries(members);
  const anyOf = type.map((one) => ({
    ...(one === 'integer' ? INT64 : { type: one }),
    ...(one === 'array' && { items }),
  }));
  return { ...rest, anyOf };
}
