import { keyName } from '../fields';
import type { Operation } from '../operations/Operation';

/** One description of a field, and where it stands. */
interface Described {
  readonly path: string;
  readonly name: string;
  readonly source: Readonly<Record<string, unknown>>;
  /** The part of its list that it belongs to. */
  readonly index: number;
}

/** What each way of reading a column leaves no room for. */
const INSTEAD: Readonly<Record<string, readonly string[]>> = {
  from: ['values', 'otherwise', 'true', 'unit', 'time', 'zone', 'separator', 'integer'],
  values: ['true', 'unit', 'time', 'zone', 'separator', 'integer'],
};

/** What no schema says of the sources: throws a TypeError that names the first option that is wrong. */
export function checkSources(
  sources: Readonly<Record<string, unknown>>,
  operations: readonly Operation[],
): void {
  for (const operation of operations) {
    checkUnits(`sources.${operation.name}.units`, objectOf(sources[operation.name])?.units);
    checkUnique(operation.name, sources[operation.name]);
    for (const described of descriptions(operation.name, sources[operation.name])) {
      checkKey(operation, described);
      checkSteps(described);
      checkPart(operation, described, sources);
    }
  }
}

function descriptions(resource: string, options: unknown): readonly Described[] {
  const path = `sources.${resource}`;
  const parts = Array.isArray(options) ? options : [options];
  return parts.flatMap((part: unknown, index) => {
    const fields = objectOf(objectOf(part)?.fields);
    const place = `${path}${Array.isArray(options) ? `.${index}` : ''}.fields`;
    return Object.entries(fields ?? {}).flatMap(([name, given]) => {
      const source = objectOf(given);
      return source ? [{ path: `${place}.${name}`, name, source, index }] : [];
    });
  });
}

function checkUnits(path: string, units: unknown): void {
  const names = Array.isArray(units) ? units.map((unit: unknown) => objectOf(unit)?.unit) : [];
  const twice = names.findIndex((name, index) => names.indexOf(name) < index);
  if (twice >= 0) throw wrong(`${path}.${twice}`, 'names a unit that another names already');
}

function checkUnique(resource: string, options: unknown): void {
  const parts = [options].flat().map((part: unknown) => objectOf(part)?.uniqueIds === true);
  const place = `sources.${resource}${Array.isArray(options) ? `.${parts.indexOf(true)}` : ''}.uniqueIds`;
  if (!parts.includes(true)) return;
  if (parts.length < 2) throw wrong(place, 'has a meaning only in a list of several parts');
  if (parts.includes(false)) throw wrong(place, 'must be said of every part or of none');
}

function checkKey({ fields }: Operation, { path, name, source }: Described): void {
  const isKey = keyName(fields) === name;
  if (isKey && ('value' in source || 'cases' in source)) {
    throw wrong(path, 'must be a column or several: it is the key of the list');
  }
}

function checkSteps({ path, source }: Described): void {
  for (const [step, others] of Object.entries(INSTEAD)) {
    const other = others.find((name) => name in source);
    if (step in source && other !== undefined)
      throw wrong(`${path}.${other}`, `has no meaning beside ${step}`);
  }
  if ('otherwise' in source && !('values' in source || 'cases' in source)) {
    throw wrong(`${path}.otherwise`, 'has no meaning without values');
  }
}

function checkPart(
  { name: resource, fields }: Operation,
  { path, name, source, index }: Described,
  sources: Readonly<Record<string, unknown>>,
): void {
  if (!('part' in source)) return;
  const place = `${path}.part`;
  if (name === 'id' && source.part !== index) throw wrong(place, 'an id belongs to the part that holds it');
  const list = name === 'id' ? resource : fields[name]?.refersTo;
  if (list === undefined) throw wrong(place, 'this field refers to no list');
  const parts = sources[list];
  if (!Array.isArray(parts)) throw wrong(place, `sources.${list} is no list of several parts`);
  if (objectOf(parts[0])?.uniqueIds) throw wrong(place, `the ids of sources.${list} name no part`);
  if (Number(source.part) >= parts.length) throw wrong(place, `sources.${list} has no such part`);
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

function wrong(path: string, why: string): TypeError {
  return new TypeError(`createPanelApi: the option ${path} is wrong (${why}).`);
}
