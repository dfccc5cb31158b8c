import { rfc3339 } from '../time/rfc3339';
import { zonedTime } from '../time/zonedTime';
import type { Raw } from './Field';
import { rawText } from './rawText';
import { readTime } from './readTime';

export type TimeForm = 'unix' | 'unix-ms' | 'date' | 'datetime';

const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;
const NAMES_ZONE = /(?:Z|UTC|[+-]\d\d(?::?\d\d)?)$/i;

/** Reads times that are written in one form alone, null for any other. */
export function timeReader(form: TimeForm | undefined): (raw: Raw) => string | null {
  if (form === undefined) return readTime;
  if (form === 'unix' || form === 'unix-ms') {
    const factor = form === 'unix' ? 1000 : 1;
    return (raw) => {
      const text = rawText(raw)?.trim() ?? '';
      return NUMBER.test(text) && Number(text) !== 0 ? rfc3339(new Date(Number(text) * factor)) : null;
    };
  }
  return (raw) => (NUMBER.test(rawText(raw)?.trim() ?? '') ? null : readTime(raw));
}

/** Reads what the clocks of a zone show, `read` having taken it for UTC; what names its own zone stays as it is. */
export function zonedReader(read: (raw: Raw) => string | null, zone: string): (raw: Raw) => string | null {
  const instantOf = zonedTime(zone);
  return (raw) => {
    const clock = read(raw);
    if (
      clock === null ||
      (typeof raw === 'string' && raw.includes(':') && NAMES_ZONE.test(raw.trim().slice(10)))
    ) {
      return clock;
    }
    return rfc3339(new Date(instantOf(Date.parse(clock))));
  };
}
