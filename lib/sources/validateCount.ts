import { type Field, type Fields, keyName } from '../fields';
import { ACCOUNT, ownerField } from '../fields/Operation';
import type { ListPart } from './ids';
import { confirm, mappedValue } from './mapping/description';
import { aWordOf, closedObject, must, orSeveral, type Validator, wrong } from './validators';

/**
 * Returns the validator of a description that counts the rows of another list for each account; null if the field is no
 * number of an account.
 */
export function validateCount({ operation, sources, operations }: ListPart, field: Field): Validator | null {
  const lists = operations.filter(({ kind, fields }) => kind === 'list' && ACCOUNT in fields);
  if (ownerField(operation) !== keyName(operation.fields) || field.kind !== 'number') return null;
  return (given, path) => {
    const { name = '', fields = {} } = lists.find((list) => list.name === Object(given).count) ?? {};
    const filters = Object.entries<Field>(fields).filter(([, { filterable }]) => filterable);
    const isServed = (one: string) => canFilter(sources[name], one, fields);
    const wanted = filters.map(([one, { words, ...rest }]): [string, Validator] => [
      one,
      isServed(one) ? orSeveral(words ? aWordOf(words) : mappedValue(rest, false)) : notFiltered(name),
    ]);
    const { [ACCOUNT]: _, ...where } = Object.fromEntries(wanted);
    const count: Validator = (value, countPath) => {
      aWordOf(lists.map((list) => list.name))(value, countPath);
      if (!isServed(ACCOUNT))
        throw wrong(countPath, `must be a list that has an ${ACCOUNT} by which it can be filtered`);
    };
    closedObject({ count, where: closedObject(where), ...confirm }, ['count'])(given, path);
  };
}

function notFiltered(list: string): Validator {
  const why = `must be left out: the source of ${list} leaves this field out or computes it with \`from\` or \`compute\`, so that clients cannot filter by it`;
  return must(why, () => false);
}

/** Whether the list may have a filter by this field, as far as its source says without the database. */
function canFilter(source: unknown, name: string, fields: Fields): boolean {
  const described = [source ?? {}].flat().map((part): unknown => {
    const { fields: supplied, query } = Object(part);
    if (Array.isArray(supplied)) return supplied.includes(name);
    return Object(supplied)[name] ?? (query === undefined || fields[name]?.derivation !== undefined);
  });
  const isComputed = (one: unknown) => 'from' in Object(one) || 'compute' in Object(one);
  return source !== false && described.some((one) => one !== false) && !described.some(isComputed);
}
