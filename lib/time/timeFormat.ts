import { parseTime, rfc3339OfSeconds } from './time';

/** How times are written in a column of texts, such as `DD.MM.YYYY hh:mm`. */
export type TimeFormat = `${string}YYYY${string}`;

const UNITS = ['year', 'month', 'day', 'hour', 'minute', 'second'];
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The parts of a format: what each of them is, and the texts that it stands for. */
const PARTS: Readonly<Record<string, readonly [unit: string, pattern: string]>> = {
  YYYY: ['year', '\\d{4}'],
  MMM: ['month', MONTHS.join('|')],
  MM: ['month', '\\d\\d'],
  M: ['month', '\\d\\d?'],
  DD: ['day', '\\d\\d'],
  D: ['day', '\\d\\d?'],
  hh: ['hour', '\\d\\d'],
  h: ['hour', '\\d\\d?'],
  mm: ['minute', '\\d\\d'],
  ss: ['second', '\\d\\d'],
};

// Brackets enclose letters that are no part.
const PIECE = /YYYY|MMM?|M|DD?|hh?|mm|ss|\[([^[\]]*)\]|\s+|[^A-Za-z[\]]/g;

/** Whether a text names the day in parts of a format, each unit once and none without the next larger one. */
export function isTimeFormat(text: string): text is TimeFormat {
  const units = (text.match(PIECE) ?? []).flatMap((piece) => PARTS[piece]?.[0] ?? []);
  const isWhole = text.replace(PIECE, '') === '' && units.length >= UNITS.indexOf('hour');
  return isWhole && UNITS.slice(0, units.length).every((unit) => units.includes(unit));
}

/** Returns the reader of texts in this format, as if they were in UTC; null for any other text. */
export function formatReader(format: TimeFormat): (text: string) => string | null {
  const source = format.replace(PIECE, (piece, letters = piece) => {
    const [unit, pattern] = PARTS[piece] ?? [];
    if (unit) return `(?<${unit}>${pattern})`;
    return piece.trim() === '' ? '\\s+' : letters.replace(/[^\w\s]/g, '\\$&');
  });
  const written = new RegExp(`^${source}$`, 'i');
  return (text) => {
    const { groups } = written.exec(text.trimEnd()) ?? {};
    if (!groups) return null;
    const month = MONTHS.indexOf(String(groups.month).toLowerCase()) + 1 || groups.month;
    const [year, ...rest] = UNITS.map((unit) => (unit === 'month' ? month : (groups[unit] ?? 0)));
    const [months, day, ...clock] = rest.map((number) => String(number).padStart(2, '0'));
    return rfc3339OfSeconds(parseTime(`${year}-${months}-${day}T${clock.join(':')}Z`));
  };
}
