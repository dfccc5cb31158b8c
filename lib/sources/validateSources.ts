import { type Fields, keyName } from '../fields';
import type { Operation } from '../fields/Operation';
import { isConfirmed } from './findings';
import { derivesNumbers, type ListPart, MOST_PARTS, namesPart, refersWithin, validatePart } from './ids';
import { aColumn, confirmation, requiredValues } from './mapping/description';
import { type FieldSources, secretIn, validateFieldSource } from './mapping/kinds';
import { sayUnsortable } from './mapping/time';
import { validateCount } from './validateCount';
import {
  aFunction,
  aListOf,
  aText,
  aWordOf,
  closedObject,
  isPlainObject,
  isTrue,
  must,
  notEmpty,
  recordOf,
  type Validator,
  wrong,
} from './validators';

type Sources = Readonly<Record<string, unknown>>;

/** Validates the sources of all lists. Throws a TypeError that names the first unknown or wrong option. */
export function validateSources(sources: Sources, operations: readonly Operation[]): void {
  const lists = operations.filter(({ kind }) => kind === 'list');
  const validators = lists.map(
    (operation) => [operation.name, sourceValidator({ operation, sources, operations })] as const,
  );
  closedObject(Object.fromEntries(validators))(sources, 'sources');
}

function sourceValidator(list: Omit<ListPart, 'index'>): Validator {
  return (given, path) => {
    if (given === false) return;
    const isSeveral = Array.isArray(given);
    if (!isSeveral && !isPlainObject(given))
      throw wrong(path, 'must be an object, an array of objects or false');
    if (list.operation.fromSystemd && 'units' in given) return closedObject({ units })(given, path);
    const parts: readonly unknown[] = [given].flat();
    if (parts.length === 0) throw wrong(path, 'must not be empty');
    if (parts.length > MOST_PARTS) {
      const why = `must have at most ${MOST_PARTS} parts; for more, use one view or one query that unites them and has a text key`;
      throw wrong(path, why);
    }
    const paths = parts.map((_, index) => (isSeveral ? `${path}.${index}` : path));
    for (const [index, part] of parts.entries())
      validateOnePart(part, String(paths[index]), { ...list, index });
    const unique = parts.map((part) => Object(part).uniqueIds === true);
    const derived = unique.includes(true) || parts.length < 2 ? -1 : parts.findIndex(derivesNumbers);
    if (derived >= 0)
      throw wrong(`${paths[derived]}.fields.id.number`, 'is allowed in several parts only with `uniqueIds`');
    if (!unique.includes(true)) return;
    const uniquePath = `${paths[unique.indexOf(true)]}.uniqueIds`;
    if (parts.length < 2) throw wrong(uniquePath, 'is allowed only if the source has several parts');
    if (unique.includes(false)) throw wrong(uniquePath, 'must be set for all parts or for none');
  };
}

function validateOnePart(given: unknown, path: string, part: ListPart): void {
  const { fields, allowList, fromSystemd } = part.operation;
  const form = isPlainObject(given) ? given : {};
  const every = { uniqueIds: isTrue, ...(allowList ? { keys: aListOf(aText) } : {}) };
  const services = fromSystemd ? { units: notBesides } : {};
  const ofSql = { where: notEmpty(recordOf(wantedValues, aColumn)), orders: orders(form, part), ...every };
  if ('rows' in form) {
    const supplied = { rows: aFunction, fields: suppliedFields(fields), ids: aWordOf(['integer', 'string']) };
    const names: readonly string[] = Array.isArray(form.fields) ? form.fields : [];
    const byCode = closedObject(Object.fromEntries(names.map((name) => [name, confirmation])));
    const confirm = isPlainObject(form.confirm) ? byCode : aListOf(aWordOf(names));
    closedObject({ ...supplied, confirm, ...every }, ['rows', 'fields'])(given, path);
    return;
  }
  if ('query' in form) {
    const described = describedFields(part, needed(fields));
    closedObject({ query: aFunction, fields: described, ...ofSql }, ['query', 'fields'])(given, path);
  } else {
    closedObject({ table: aText, fields: describedFields(part), ...ofSql, ...services })(given, path);
  }
  refuseSecrets(fields, form, path);
}

const notBesides = must('must be the only member of an object that is in no array', () => false);

/** Refuses a text that may be secret, unless the panel has confirmed it. */
function refuseSecrets(fields: Fields, { fields: described, query }: Sources, path: string): void {
  const sources = Object(described) as FieldSources;
  for (const name of Object.keys(fields)) {
    const secret = secretIn(name, { fields, sources, byName: query === undefined });
    const isShown = ['id', 'word'].includes(fields[name]?.kind ?? '');
    const then = isShown ? 'if it holds no secret' : 'and the module masks the text';
    const advice = `choose another column, or say \`confirm: 'credential'\`, ${then}`;
    if (secret && !isConfirmed(sources[name], 'credential'))
      throw wrong(`${path}.fields.${name}`, `${secret.why}: ${advice}`);
  }
}

const wantedValues: Validator = (given, path) =>
  (isPlainObject(given) ? closedObject({ not: requiredValues }, ['not']) : requiredValues)(given, path);

function describedFields(part: ListPart, required: readonly string[] = []): Validator {
  const { fields } = part.operation;
  const validators = Object.entries(fields).map(([name, field]) => {
    const others = { part: validatePart(part, name, field), count: validateCount(part, field) };
    const validator = validateFieldSource(field, name === keyName(fields), others);
    return [name, refersWithin(part, field) ? namesPart(validator) : validator] as const;
  });
  return closedObject(Object.fromEntries(validators), required);
}

/** Validates the fields of times by which the list of a table or a query can be sorted. */
function orders(form: Sources, { operation, sources }: ListPart): Validator {
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

function suppliedFields(fields: Fields): Validator {
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

const units: Validator = (given, path) => {
  aListOf(unit)(given, path);
  const names = (given as readonly { readonly unit: string }[]).map(({ unit }) => unit);
  const again = names.findIndex((name, index) => names.indexOf(name) < index);
  if (again >= 0) throw wrong(`${path}.${again}`, 'names the same unit as an earlier entry');
};
