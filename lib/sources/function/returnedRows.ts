import { setImmediate as nextTurn } from 'node:timers/promises';
import { unlessAborted } from '../../async/withTimeout';
import type { Integer } from '../../fields/raw';
import { ROWS_PER_TURN } from '../chunks';
import { KeyNotUnique, type Row } from '../Source';

export type Id = Integer | string;

/** A row that the panel returned, and its own id. */
export interface IdentifiedRow {
  readonly id: Id;
  readonly row: Row;
}

type Rows = Iterable<Row> | AsyncIterable<Row>;

/**
 * What a function of the panel's returned, in the order of the ids: an array is sorted, anything else has to come so.
 * Throws OutOfOrder, KeyNotUnique if two ids are the same, and the reason of the signal as soon as that is aborted.
 */
export async function* returnedRows(
  given: Rows | Promise<Rows>,
  identified: (row: Row) => IdentifiedRow,
  signal: AbortSignal,
  resource: string,
): AsyncGenerator<IdentifiedRow, void, undefined> {
  const giving = Promise.resolve(given);
  const rows = await unlessAborted(giving, signal).catch((error) => {
    // What comes after all may hold something open.
    giving.then(leaveUnread).catch(() => undefined);
    throw error;
  });
  let before: Id | undefined;
  const returned = Array.isArray(rows)
    ? await sorted(rows, identified, signal)
    : inTurn(rows, identified, signal);
  for await (const one of returned) {
    const order = before === undefined ? -1 : compareIds(before, one.id);
    if (order === 0) throw new KeyNotUnique(resource);
    if (order > 0) throw new OutOfOrder(resource);
    before = one.id;
    yield one;
  }
}

/** The order of ids in a list: of numbers by their value, of texts by their UTF-16 units. */
export function compareIds(one: Id, other: Id): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

// Sorting holds up everybody else: rows that come in order, as most do, are spared it.
async function sorted(
  rows: readonly Row[],
  identified: (row: Row) => IdentifiedRow,
  signal: AbortSignal,
): Promise<readonly IdentifiedRow[]> {
  const returned: IdentifiedRow[] = [];
  let isSorted = true;
  for (const row of rows) {
    const one = identified(row);
    const before = returned.at(-1);
    isSorted &&= before === undefined || compareIds(before.id, one.id) <= 0;
    returned.push(one);
    if (returned.length % ROWS_PER_TURN > 0) continue;
    await nextTurn();
    signal.throwIfAborted();
  }
  return isSorted ? returned : returned.sort((one, other) => compareIds(one.id, other.id));
}

async function* inTurn(
  rows: Rows,
  identified: (row: Row) => IdentifiedRow,
  signal: AbortSignal,
): AsyncGenerator<IdentifiedRow> {
  const iterator = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
  let ended = false;
  try {
    for (;;) {
      const next = await unlessAborted(Promise.resolve(iterator.next()), signal);
      ended = next.done === true;
      if (ended) return;
      yield identified(next.value);
    }
  } finally {
    // One that hangs would keep us waiting for ever.
    if (!ended) Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

async function leaveUnread(rows: Rows): Promise<void> {
  if (Symbol.asyncIterator in rows) await rows[Symbol.asyncIterator]().return?.();
  else rows[Symbol.iterator]().return?.();
}

/** A function's iterable returned rows in another order than that of their ids. */
export class OutOfOrder extends Error {
  override readonly name = 'OutOfOrder';

  constructor(resource: string) {
    super(`The rows of ${resource} do not come in the order of their ids.`);
  }
}
