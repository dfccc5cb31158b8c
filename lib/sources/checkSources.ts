import { type Fields, keyName } from '../fields';
import type { Operation } from '../fields/Operation';
import {
  aFunction,
  aListOf,
  aText,
  aWordOf,
  type Check,
  closedObject,
  isPlainObject,
  isTrue,
  must,
  wrong,
} from './checkers';
import { countCheck } from './counts';
import { type ListPart, MOST_PARTS, namesPart, partCheck, refersWithin } from './ids';
import { fieldSourceCheck } from './mapping/kinds';
import { sayUnsortable } from './mapping/time';

type Sources = Readonly<Record<string, unknown>>;

/** Checks the sources of all lists. Throws a TypeError that names the first unknown or wrong option. */
export function checkSources(sources: Sources, operations: readonly Operation[]): void {
  const lists = operations.filter(({ kind }) => kind === 'list');
  const checks = lists.map(
    (operation) => [operation.name, sourceCheck({ operation, sources, operations })] as const,
  );
  closedObject(Object.fromEntries(checks))(sources, 'sources');
}

function sourceCheck(list: Omit<ListPart, 'index'>): Check {
  const { operation } = list;
  return (given, path) => {
    if (given === false) return;
    if (Array.isArray(given)) checkParts(given, path, list);
    else if (!isPlainObject(given)) throw wrong(path, 'must be an object, an array of objects or false');
    else if (operation.fromSystemd && 'units' in given) closedObject({ units })(given, path);
    else checkPart(given, path, { ...list, index: 0 });
    checkUnique([given].flat(), Array.isArray(given) ? (index) => `${path}.${index}` : () => path);
  };
}

function checkParts(given: readonly unknown[], path: string, rest: Omit<ListPart, 'index'>): void {
  if (given.length === 0) throw wrong(path, 'must not be empty');
  if (given.length > MOST_PARTS) {
    const why = `must have at most ${MOST_PARTS} parts; for more, use one view or one query that unites them and has a text key`;
    throw wrong(path, why);
  }
  for (const [index, part] of given.entries()) checkPart(part, `${path}.${index}`, { ...rest, index });
}

function checkPart(given: unknown, path: string, part: ListPart): void {
  const { fields, allowList } = part.operation;
  const form = isPlainObject(given) ? given : {};
  const every = { uniqueIds: isTrue, ...(allowList ? { keys: aListOf(aText) } : {}) };
  if ('rows' in form) {
    const supplied = { rows: aFunction, fields: suppliedFields(fields), ids: aWordOf(['integer', 'string']) };
    const confirm = aListOf(aWordOf(Array.isArray(form.fields) ? form.fields : []));
    closedObject({ ...supplied, confirm, ...every }, ['rows', 'fields'])(given, path);
  } else if ('query' in form) {
    const described = describedFields(part, needed(fields));
    const members = { query: aFunction, fields: described, orders: orders(form, part), ...every };
    closedObject(members, ['query', 'fields'])(given, path);
  } else {
    const members = { table: aText, fields: describedFields(part), orders: orders(form, part), ...every };
    closedObject(members)(given, path);
  }
}

function describedFields(part: ListPart, required: readonly string[] = []): Check {
  const { fields } = part.operation;
  const checks = Object.entries(fields).map(([name, field]) => {
    const described = { field, checkPart: partCheck(part, name, field), checkCount: countCheck(part, field) };
    const check = fieldSourceCheck(described, name === keyName(fields));
    return [name, refersWithin(part, field) ? namesPart(check) : check] as const;
  });
  return closedObject(Object.fromEntries(checks), required);
}

/** Checks the fields of times by which the list of a table or a query can be sorted. */
function orders(form: Sources, { operation, sources }: ListPart): Check {
  const { name: resource, fields } = operation;
  const times = aListOf(aWordOf(Object.keys(fields).filter((name) => fields[name]?.kind === 'time')));
  return (given, path) => {
    times(given, path);
    if ([sources[resource]].flat().length > 1)
      throw wrong(path, 'is not possible in a list of several parts');
    const described = isPlainObject(form.fields) ? form.fields : {};
    for (const name of given as readonly string[]) {
      const why = name in described || 'query' in form ? sayUnsortable(described[name]) : null;
      if (why !== null) throw wrong(path, `names ${name}, which ${why}`);
    }
  };
}

function suppliedFields(fields: Fields): Check {
  const names = aListOf(aWordOf(Object.keys(fields)));
  return (given, path) => {
    names(given, path);
    const missing = needed(fields).find((name) => !(given as readonly unknown[]).includes(name));
    if (missing !== undefined)
      throw wrong(path, `must contain ${missing}, because this field is always present`);
  };
}

/** The fields that a source must name, if it reads no field by its own name. */
function needed(fields: Fields): readonly string[] {
  return Object.keys(fields).filter((name) => fields[name]?.required && !fields[name]?.derivation);
}

function checkUnique(parts: readonly unknown[], pathOf: (index: number) => string): void {
  const unique = parts.map((part) => isPlainObject(part) && part.uniqueIds === true);
  if (!unique.includes(true)) return;
  const path = `${pathOf(unique.indexOf(true))}.uniqueIds`;
  if (parts.length < 2) throw wrong(path, 'is allowed only if the source has several parts');
  if (unique.includes(false)) throw wrong(path, 'must be set for all parts or for none');
}

const unit = closedObject(
  {
    unit: must(
      'must be the name of a systemd unit, such as nginx or php8.2-fpm.service',
      (name) => typeof name === 'string' && /^[A-Za-z0-9:_.@\\][A-Za-z0-9:_.@\\-]{0,255}$/.test(name),
    ),
    name: aText,
    category: aText,
  },
  ['unit'],
);

const units: Check = (given, path) => {
  aListOf(unit)(given, path);
  const names = (given as readonly { readonly unit: string }[]).map(({ unit }) => unit);
  const again = names.findIndex((name, index) => names.indexOf(name) < index);
  if (again >= 0) throw wrong(`${path}.${again}`, 'names the same unit as an earlier entry');
};
