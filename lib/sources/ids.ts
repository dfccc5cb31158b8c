import type { Field } from '../fields';
import { type Integer, readInteger } from '../fields/raw';

/** How the ids of the panel's rows and the ids of the API's lists belong together, for one part of one list. */
export class ListIds {
  readonly #resource: string;
  readonly #part: number;
  readonly #several: ReadonlySet<string>;

  /** `several` names the lists that consist of several parts. */
  constructor(resource: string, part: number, several: ReadonlySet<string>) {
    this.#resource = resource;
    this.#part = part;
    this.#several = several;
  }

  /** The part of a list whose ids the field holds; null where they are the panel's own. */
  partOf(name: string, field: Field, named?: number): number | null {
    const isKey = name === 'id';
    const list = isKey ? this.#resource : field.refersTo;
    if (list === undefined || !this.#several.has(list)) return null;
    if (isKey) return this.#part;
    return named ?? (list === this.#resource ? this.#part : 0);
  }

  static toList(id: unknown, part: number | null): unknown {
    return part === null || id === null ? id : idInList(id as Integer | string, part);
  }

  static toPanel(ids: ReadonlySet<string>, part: number | null): ReadonlySet<string> {
    return part === null ? ids : new Set([...ids].flatMap((id) => idsInPart(id, part)));
  }
}

/** How many parts a list may have: the last digit of an id says which. */
export const MOST_PARTS = 10;

/** The id of a row of one part of a list: unique in the list, and a whole number if it was one. */
function idInList(id: Integer | string, part: number): Integer | string {
  if (typeof id === 'string') return `${part}:${id}`;
  const tens = BigInt(id) * BigInt(MOST_PARTS);
  return readInteger(id < 0 ? tens - BigInt(part) : tens + BigInt(part)) ?? '';
}

/** What an id of the list may be in the panel's own column of this part; none where it is of another part. */
function idsInPart(id: string, part: number): readonly string[] {
  if (id.startsWith(`${part}:`)) return [id.slice(`${part}:`.length)];
  if (!/^(?:0|-?[1-9]\d*)$/.test(id) || !id.endsWith(String(part))) return [];
  return [(BigInt(id) / BigInt(MOST_PARTS)).toString()];
}
