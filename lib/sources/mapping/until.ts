import { ALWAYS, anyOf, type Bounds, NEVER } from '../../database/columns';
import { type Field, time } from '../../fields';
import { DAY_SECONDS, millisecondsOf, type TIME_FORMS } from '../../time/time';
import type { TimeFormat } from '../../time/timeFormat';
import { aFunction, closedObject, wrong } from '../validators';
import { hasRequired, requiredColumn } from './conditions';
import {
  aColumn,
  type Confirmable,
  closedWords,
  confirm,
  type DescriptionKind,
  sentinels,
  type ValueOf,
} from './description';
import { type RawValue, rawValue, resultReader } from './results';
import type { Sentinel } from './sentinels';
import { aTimeForm, aZone, columnTimeReader, timeRange } from './time';

/**
 * Reads the status of a certificate from its end: `expired`, `expiring` in the next 30 days, or else `valid` or, for a
 * domain, `active`. An end that is not known is `unknown`, and a domain without a certificate is `none`.
 */
export interface UntilSource extends Confirmable {
  /** The column with the end, in a query `alias.column`. A day without a time ends with its last second. */
  readonly until: string;
  /** Values of the column that mean that there is no certificate, as NULL does. */
  readonly null?: Sentinel | readonly Sentinel[];
  /** Returns the end for a column value. The field then cannot be filtered. */
  readonly from?: (raw: RawValue) => unknown;
  /** The form of the column's values, or a format of theirs. Default: recognized for each value. */
  readonly time?: (typeof TIME_FORMS)[number] | TimeFormat;
  /** The IANA time zone of values without a zone. Default: UTC. */
  readonly zone?: string;
}

/** `UntilSource` for fields with the word `expiring` and for fields of unknown type; never for other fields. */
export type Until<F extends Field> =
  unknown extends ValueOf<F>
    ? UntilSource
    : F extends { readonly words: readonly (infer W)[] }
      ? 'expiring' extends W
        ? UntilSource
        : never
      : never;

const END = time('');
const EXPIRING = 30 * DAY_SECONDS;

/** @internal */
export const until: DescriptionKind<UntilSource> = {
  validate(field) {
    return (given, path) => {
      if (!field.words?.includes('expiring'))
        throw wrong(`${path}.until`, 'is not allowed, because this field has no word for what is expiring');
      const form = 'from' in Object(given) ? { from: aFunction } : { time: aTimeForm, zone: aZone };
      closedObject({ until: aColumn, null: sentinels, ...form, ...confirm }, ['until'])(given, path);
    };
  },
  references: ({ until }) => [until],
  plan({ name, field, columns }, { until, from, time: form, zone, null: none = [] }) {
    const found = columns.get(until);
    const column = { ...found, form, zoned: zone !== undefined };
    const [value, result] = [rawValue(found), resultReader(name, END)];
    const endOf = from ? (raw: unknown) => result(from(value(raw))) : columnTimeReader(column, zone, true);
    // The words of an end that is far away and of a row without one, in the fields that have them.
    const far = field.words?.find((word) => word === 'valid' || word === 'active');
    const without = field.words?.includes('none') ? 'none' : null;
    const absent = requiredColumn(found, [null, ...[none].flat()]);
    const range = timeRange(column, true);
    const selected = columns.select(found);
    return {
      columns: [selected],
      cell: selected.cell,
      isNone: absent.hasOne,
      words: closedWords(field, ['expired', 'expiring', far, without, null]),
      read(raw) {
        if (absent.hasOne(raw)) return without;
        const left = (millisecondsOf(endOf(raw)) - Date.now()) / 1000;
        if (Number.isNaN(left)) return null;
        return left <= 0 ? 'expired' : left <= EXPIRING ? 'expiring' : far;
      },
      pushDown: from
        ? undefined
        : (wanted, dialect) => {
            // Two days more, because a list may be read for minutes, and a day ends a day after it is stored.
            const soon = Math.floor(Date.now() / 1000) + 2 * DAY_SECONDS;
            const spans = new Map<unknown, Bounds>([
              ['expired', { from: null, to: soon }],
              ['expiring', { from: soon - 4 * DAY_SECONDS, to: soon + EXPIRING }],
              [far, { from: soon - 4 * DAY_SECONDS + EXPIRING, to: null }],
            ]);
            return anyOf(
              [...wanted].map((word) => {
                const span = spans.get(word);
                if (span) return range(span, dialect);
                if (word === without) return hasRequired(absent, false, dialect);
                return word === field.fallback ? ALWAYS : NEVER;
              }),
            );
          },
    };
  },
};
