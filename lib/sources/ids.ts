import { createHash } from 'node:crypto';
import type { Field } from '../fields';
import type { Operation } from '../fields/Operation';
import { readInteger } from '../fields/raw';
import { type Validator, wrong } from './validators';

type Reader = (raw: unknown) => unknown;

/** Converts the ids of a field in the panel's rows to ids of the list, and back. */
interface IdMapping {
  readonly reader: (read: Reader) => Reader;
  /** Returns the possible ids in the panel's rows for these ids of the list; none for ids of other parts. */
  readonly toPanel: (ids: ReadonlySet<string>) => ReadonlySet<string>;
  /** Why the column cannot supply the field, as the end of a sentence. */
  readonly refused?: string;
  /** Whether texts become the numbers that are derived from them. `toPanel` then returns texts as they are. */
  readonly isDerived?: true;
}

/** Returns the conversion for a field's ids. `named` is the part that its description names. */
export type ListIds = (name: string, field: Field, named?: number) => IdMapping;

const SAME: IdMapping = { reader: (read) => read, toPanel: (ids) => ids };

const DERIVED: IdMapping = {
  ...SAME,
  reader: (read) => (raw) => {
    const id = read(raw);
    return typeof id === 'string' ? derivedNumber(id) : id;
  },
  isDerived: true,
};

/** Returns the number that is derived from a key of text: the first 53 bits of its SHA-256. */
export function derivedNumber(key: string): number {
  return Number(createHash('sha256').update(key).digest().readBigUInt64BE() >> 11n);
}

/** In how many rows such a number is looked for, and of how many rows of an answer the numbers are compared. */
export const MOST_NUMBERS = 100_000;

/** Whether a part of a list derives its ids from keys of text. */
export function derivesNumbers(part: unknown): boolean {
  return Object(Object(Object(part).fields).id).number === true;
}

/**
 * Creates the conversion for one part of the list `resource`. `several` contains the lists with several parts, and
 * `derived` those whose ids are derived.
 */
export function listIds(
  resource: string,
  part: number,
  several: ReadonlySet<string>,
  derived: ReadonlySet<string>,
): ListIds {
  return (name, { refersTo }, named) => {
    const isKey = name === 'id';
    const list = isKey ? resource : refersTo;
    if (list === undefined) return SAME;
    if (!several.has(list)) return derived.has(list) ? DERIVED : SAME;
    const of = isKey ? part : (named ?? (list === resource ? part : 0));
    const refused = `holds ids of a list of several parts: describe the field ${name} with the \`part\` that they belong to`;
    return {
      ...(list === resource && !isKey && named === undefined ? { refused } : {}),
      // Unique in the list, and an integer if it was one.
      reader: (read) => (raw) => {
        const id = read(raw);
        if (id === null) return null;
        return typeof id === 'string' ? `${of}:${id}` : readInteger(BigInt(`${id}${of}`));
      },
      toPanel: (ids) => new Set([...ids].flatMap((id) => idsInPart(id, of))),
    };
  };
}

/** The most parts of a list, because the last digit of an id is the part. */
export const MOST_PARTS = 10;

/** A part of a list to validate. A source without parts is validated as the first part. */
export interface ListPart {
  readonly operation: Operation;
  readonly index: number;
  readonly sources: Readonly<Record<string, unknown>>;
  readonly operations: readonly Operation[];
}

/** Validates the `part` of a description: the part of the list that the field's ids refer to. */
export function validatePart(
  { operation, index, sources }: ListPart,
  name: string,
  { refersTo }: Field,
): Validator {
  return (part, path) => {
    if (name === 'id' && part !== index)
      throw wrong(path, 'must be the index of its own part, because the field is the id of the row');
    const list = name === 'id' ? operation.name : refersTo;
    if (list === undefined) throw wrong(path, 'is not allowed, because this field refers to no list');
    const parts = sources[list];
    if (!Array.isArray(parts))
      throw wrong(path, `is not allowed, because sources.${list} does not have several parts`);
    if (Object(parts[0]).uniqueIds)
      throw wrong(path, `is not allowed, because the parts of sources.${list} set uniqueIds`);
    if (!Number.isInteger(part) || !((part as number) in parts))
      throw wrong(path, `must be the index of a part of sources.${list}, which has ${parts.length} parts`);
  };
}

/** Whether the field refers to the list that it is in, and that list has parts with ids of their own. */
export function refersWithin({ operation, sources }: ListPart, { refersTo }: Field): boolean {
  const parts = sources[operation.name];
  return refersTo === operation.name && Array.isArray(parts) && parts.length > 1 && !parts[0]?.uniqueIds;
}

/** Extends the validator of a description: one that reads ids must name the part of the list that they belong to. */
export function namesPart(validate: Validator): Validator {
  return (given, path) => {
    validate(given, path);
    const description = typeof given === 'string' ? {} : Object(given);
    if (given !== false && !['part', 'value', 'cases'].some((keyword) => keyword in description))
      throw wrong(path, 'needs a `part`, because ids of this list belong to one of its parts');
  };
}

/** Returns the possible ids in this part for an id of the list; none if that is in another part. */
function idsInPart(id: string, part: number): readonly string[] {
  if (id.startsWith(`${part}:`)) return [id.slice(`${part}:`.length)];
  if (!/^(?:0|-?[1-9]\d*)$/.test(id) || !id.endsWith(String(part))) return [];
  return [(BigInt(id) / BigInt(MOST_PARTS)).toString()];
}
