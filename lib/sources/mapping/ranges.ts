import { type Bounds, type Column, isIntegerColumn, type TimeColumn, widened } from '../../database/columns';
import type { Field } from '../../fields';
import type { PushRange } from './conditions';

// Every database can compare with the times between them.
const [FIRST, LAST] = [0, Date.UTC(9999) / 1000];

/** The ranges of a column of times. */
export function timeRange(column: TimeColumn): PushRange {
  return ({ from, to }, dialect) => {
    const [since, before] = [Number(from), Number(to)];
    return dialect.during(column, {
      from: since <= FIRST ? null : Math.min(since, LAST),
      to: to === null || before >= LAST ? null : Math.max(before, FIRST),
    });
  };
}

/** The ranges of a column of numbers, each of which is `factor` of the field's. */
export function numberRange(column: Column, { schema }: Field, factor = 1): PushRange {
  const isExact = factor === 1 && isIntegerColumn(column);
  const { minimum = -Infinity, maximum = Infinity } = schema as { minimum?: number; maximum?: number };
  return ({ from, to }, dialect) => {
    const divided = (bound: number | bigint) => (factor === 1 ? bound : Number(bound) / factor);
    const numbers: Bounds = {
      // Numbers outside may be read as the nearer end.
      from: from === null || from <= minimum ? null : divided(from),
      to: to === null || to >= maximum ? null : divided(to),
    };
    return dialect.within(column, isExact ? numbers : widened(numbers, 1 / factor));
  };
}
