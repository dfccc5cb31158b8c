import type { Field } from '../../../lib/fields';
import type { Operation } from '../../../lib/fields/Operation';
import { NOW } from './stoppedClock';

/** A row of the panel's table: each column as the text in which the database itself writes it. */
export type StoredRow = Readonly<Record<string, string | null>>;

export type Item = Readonly<Record<string, unknown>>;

/**
 * Fields that only the module's own rules make: what of a command is secret, when a schedule is due, and what a setting
 * means. They are asked for, but their values are compared with nothing.
 */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  cron: ['command', 'command_masked', 'next_run_at'],
  settings: ['type', 'value'],
};

/** The item without the fields that are left out. */
export function compared(list: string, item: Item): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !LEFT_OUT[list]?.includes(name)));
}

/** What clients should get for a row of the list's table. */
export function itemOf({ name: list, fields }: Operation, row: StoredRow): Item {
  const value = (name: string) => meaningOf(fields[name]!, row[name] ?? null);
  const names = Object.keys(compared(list, fields));
  return Object.fromEntries(
    names.map((name) => [name, name in DERIVED ? DERIVED[name]!(value, row) : value(name)]),
  );
}

type Values = (name: string) => unknown;

/** Fields that are no column's value. */
const DERIVED: Readonly<Record<string, (value: Values, row: StoredRow) => unknown>> = {
  duration_ms: (_, { started_at, finished_at }) => duration(started_at, finished_at),
  days_left: (_, { expires_at }) => {
    const days = Math.floor((momentOf(expires_at) - NOW) / 86_400_000);
    return Number.isNaN(days) ? null : days;
  },
  file_name: (value) => baseName(value('file_name')),
  is_set: (value) => (value('value') ?? '') !== '',
};

/** The milliseconds between two stored times. */
function duration(...times: readonly (string | null | undefined)[]): number | null {
  const [from, to] = times.map(momentOf);
  return to! >= from! ? to! - from! : null;
}

/** A stored time in milliseconds, which an answer does not show. */
function momentOf(stored: string | null | undefined): number {
  const [, fraction = ''] = /\.(\d{1,3})/.exec(stored ?? '') ?? [];
  return Date.parse(timeOf(stored ?? '') ?? '') + Number(fraction.padEnd(3, '0'));
}

/** The last part of a path. An address may have a password before the path, and a signature behind it. */
function baseName(stored: unknown): string | null {
  const text = String(stored ?? '');
  const path = text.includes('://') ? new URL(text).pathname : text;
  const isWindows = /^[A-Za-z]:[\\/]/.test(text) || text.startsWith('\\\\');
  return path.split(isWindows ? /[/\\]/ : '/').findLast((part) => part !== '') ?? null;
}

/** What a stored text means. */
function meaningOf({ kind, schema, required, isExpiry }: Field, stored: string | null): unknown {
  const text = stored ?? '';
  if (kind === 'list') return [...new Set(text.split(/[\s,;|]+/).filter((member) => member !== ''))];
  if (kind === 'word') return text || (required ? 'unknown' : null);
  if (kind === 'flag') return stored === null && !required ? null : ['1', 't', 'true'].includes(text);
  if (kind === 'text') return text || (required ? '' : null);
  if (stored === null) return null;
  if (kind === 'any') return text;
  // What ends on a day ends with its last second.
  if (kind === 'time') return timeOf(text, isExpiry ? '23:59:59' : '00:00:00');
  if (kind === 'id' && !/^-?\d+$/.test(text)) return text;
  const number = BigInt(text);
  if (schema.maximum === 100) return Math.max(0, Math.min(100, Number(number)));
  if (schema.minimum === 0 && number < 0n) return null;
  return exact(number);
}

/** A number if it holds all digits, as the client reads it. */
export function exact(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function timeOf(text: string, ofDay = '00:00:00'): string | null {
  const [, day, clock = ofDay] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)[.\d]*(?:Z|\+00)?)?$/.exec(text) ?? [];
  const time = new Date(`${day}T${clock}Z`);
  const exists = !Number.isNaN(time.getTime()) && time.toISOString().slice(0, 10) === day;
  return exists && !day!.startsWith('0000') ? `${day}T${clock}+00:00` : null;
}
