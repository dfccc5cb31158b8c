import { type CallOptions, PanelApiError } from '../../client';

/** A check is left out, which is no fault. The message says what the panel does not have. */
export class NotChecked extends Error {}

type Parameters = Readonly<Record<string, unknown>>;

// What the lists have in common. Their own types tie the parameters to one list.
type AnyList = (parameters: never, options: CallOptions) => AsyncIterable<unknown>;

interface Read<T> {
  readonly items: T[];
  /** The fields that the panel supplies. */
  readonly fields: readonly string[];
  /** Whether all rows were read, because the panel has no such range. */
  readonly isWhole: boolean;
}

/** Reads the items of a list, with the fields among these that the panel supplies and in a range if it has one. */
export async function readAll<T>(
  list: AnyList,
  fields: readonly string[],
  range: Parameters,
  signal: AbortSignal,
): Promise<Read<T>> {
  try {
    const items: T[] = [];
    for await (const item of list({ ...range, fields } as never, { signal })) items.push(item as T);
    return { items, fields, isWhole: Object.keys(range).length === 0 };
  } catch (error) {
    const { parameter = '', supported } = refusal(error);
    if (parameter === 'fields' && supported) {
      const there = fields.filter((field) => supported.includes(field));
      if (there.length < fields.length) return readAll<T>(list, there, range, signal);
    }
    if (Object.hasOwn(range, parameter)) return readAll<T>(list, fields, {}, signal);
    throw error;
  }
}

/** What the panel does not serve, of an error with which it refused a query. Throws any other error. */
export function refusal(error: unknown): PanelApiError['details'] {
  if (error instanceof PanelApiError && error.code === 'query_invalid') return error.details;
  throw error;
}
