import type { Field } from '../fields';
import type { Integer } from '../fields/raw';
import { idInList, idsInPart } from './partIds';

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
