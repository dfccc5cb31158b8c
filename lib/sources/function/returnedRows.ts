import { setImmediate as nextTurn } from 'node:timers/promises';
import { unlessAborted } from '../../async/withTimeout';
import type { Id } from '../../fields/scalars';
import { ROWS_PER_TURN } from '../chunks';
import { KeyNotUnique, type Row } from '../Source';

export interface IdentifiedRow {
  readonly id: Id;
  readonly row: Row;
}

type Rows = Iterable<Row> | AsyncIterable<Row>;

/** Returns a row with its id; null for a row that the request does not show, so that no fault in it fails the request. */
type Identify = (row: Row) => IdentifiedRow | null;

/**
 * Yields the rows that the panel's function returned, in the order of their ids, and null for each that is not shown.
 * An array is sorted; an iterable must already be in order. Throws OutOfOrder if it is not, KeyNotUnique for equal ids,
 * and the signal's reason as soon as it is aborted.
 */
export async function* returnedRows(
  given: Rows | Promise<Rows>,
  identified: Identify,
  signal: AbortSignal,
  resource: string,
): AsyncGenerator<IdentifiedRow | null, void, undefined> {
  const giving = Promise.resolve(given);
  const rows = await unlessAborted(giving, signal).catch((error) => {
    // An iterable that is returned late may hold resources.
    giving.then((late) => iteratorOf(late).return?.()).catch(() => undefined);
    throw error;
  });
  let before: Id | undefined;
  const returned = Array.isArray(rows)
    ? await sorted(rows, identified, signal)
    : inTurn(rows, identified, signal);
  for await (const one of returned) {
    const order = before === undefined || !one ? -1 : compareIds(before, one.id);
    if (order === 0) throw new KeyNotUnique(resource);
    if (order > 0) throw new OutOfOrder(resource);
    before = one?.id ?? before;
    yield one;
  }
}

/** Compares ids in the order of a list: numbers by value, texts by UTF-16 units. */
export function compareIds(one: Id, other: Id): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Returns the rows in the order of their ids, then null for each other row. */
async function sorted(
  rows: readonly Row[],
  identified: Identify,
  signal: AbortSignal,
): Promise<readonly (IdentifiedRow | null)[]> {
  const shown: IdentifiedRow[] = [];
  for (const [index, row] of rows.entries()) {
    const one = identified(row);
    if (one) shown.push(one);
    if (index % ROWS_PER_TURN < ROWS_PER_TURN - 1) continue;
    await nextTurn();
    signal.throwIfAborted();
  }
  // Rows that are already in order, as most are, are compared once.
  shown.sort((one, other) => compareIds(one.id, other.id));
  return [...shown, ...Array<null>(rows.length - shown.length).fill(null)];
}

async function* inTurn(
  rows: Rows,
  identified: Identify,
  signal: AbortSignal,
): AsyncGenerator<IdentifiedRow | null> {
  const iterator = iteratorOf(rows);
  let ended = false;
  try {
    for (;;) {
      const next = await unlessAborted(Promise.resolve(iterator.next()), signal);
      ended = next.done === true;
      if (ended) return;
      yield identified(next.value);
    }
  } finally {
    // Not awaited, because it may never settle.
    if (!ended) Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

function iteratorOf(rows: Rows): Iterator<Row> | AsyncIterator<Row> {
  return Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
}

/** The function's iterable returned rows that are not in the order of their ids. */
export class OutOfOrder extends Error {
  override readonly name = 'OutOfOrder';

  constructor(resource: string) {
    super(`The source function of ${resource} did not return its rows in the order of their ids.`);
  }
}
