import { type Column as DatabaseColumn, isTimeColumn } from '../lib/database/columns';
import type { FieldKind } from '../lib/fields';
import type { Operation } from '../lib/fields/Operation';
import { rawText } from '../lib/fields/raw';
import { readColumnTime } from '../lib/fields/times';
import type { Installation } from '../lib/Installation';
import { toJson } from '../lib/json/json';
import type { ReadParts, TracedRow } from '../lib/lists/RowsReader';
import { readInPlace, readList } from '../lib/lists/readList';
import { containsCredential, HIDDEN, looksLikeCredential } from '../lib/masking/credentials';
import type { FieldReading } from '../lib/sources/findings';
import type { SourceReport } from '../lib/sources/Source';
import { wholeSeconds } from '../lib/time/time';
import type { Screen } from './Terminal';
import { type Cell, type Column, formatTable } from './table';

/** A list, and what is asked of it. */
export interface AskedList extends ReadParts {
  readonly operation: Operation;
  readonly report: SourceReport;
}

/** The columns of a field, with their values in one row beside the answered one. */
interface TracedField {
  /** The part, if the list has several. */
  readonly part?: number;
  readonly field: string;
  readonly columns: readonly string[];
  readonly raw: readonly (string | null)[];
  readonly value: unknown;
}

/** Shows from which columns each field of a list comes. */
export async function traced({ readDatabase }: Installation, asked: AskedList, screen: Screen) {
  const { operation, report, query } = asked;
  const { parts } = asked.source;
  const found: TracedField[] = [];
  for (const [part, source] of (parts ?? [asked.source]).entries()) {
    const { itemSchema, readings = {} } = await source.report();
    const { properties } = itemSchema;
    // Without a field that is asked for, no row of the part matches.
    if (![...query.filters.keys(), ...query.ranges.keys()].every((name) => name in properties)) continue;
    const rows = await readInPlace(readDatabase, asked, (run) =>
      readList({ ...asked, source }, run, (each) => each.trace()),
    );
    const names = Object.keys(rows[0]?.item ?? {}).filter((name) => query.fields?.includes(name) ?? true);
    found.push(
      ...names.map((name) => ({ ...(parts && { part }), ...tracedField(name, rows, readings, operation) })),
    );
  }
  const unserved = Object.keys(operation.fields).filter((name) => !(name in report.itemSchema.properties));
  return {
    json: found,
    text:
      found.length === 0
        ? 'No row matches.'
        : formatTable(found, parts ? [PART, ...COLUMNS] : COLUMNS, screen),
    ...(unserved.length > 0 && { note: `Fields without a source: ${unserved.join(', ')}.` }),
  };
}

/** The field in the first row that answers a value, or whose columns hold one, without what must not be seen. */
function tracedField(
  field: string,
  rows: readonly TracedRow[],
  readings: Readonly<Record<string, FieldReading>>,
  { fields }: Operation,
): TracedField {
  const { columns = [], cells = [] } = readings[field] ?? {};
  const holds = ({ raw, item }: TracedRow) =>
    columns.length > 0 ? cells.some((cell) => rawText(raw[cell]) !== null) : item[field] !== null;
  const answers = (row: TracedRow) => holds(row) && !/^(?:null|\[\])?$/.test(textOf(row.item[field]));
  const { item, raw } = (rows.find(answers) ?? rows.find(holds) ?? rows[0]) as TracedRow;
  const answered = textOf(item[field]);
  const isMasked = (column: string) =>
    Object.entries(readings).some(
      ([name, reading]) =>
        fields[name]?.derivation?.always && reading.columns.some((one) => one.name === column),
    );
  return {
    field,
    columns: columns.map(({ name }) => name),
    raw: columns.map((column, index) => {
      const text = rawCell(column, raw[cells[index] ?? '']);
      if (text === null || text === answered) return text;
      const isHidden = isMasked(column.name) || answered.includes(HIDDEN) || mayBeSecret(text, column.name);
      return isHidden || isUnanswered(text, answered, fields[field]?.kind) ? HIDDEN : text;
    }),
    value: item[field],
  };
}

/** A raw value as text. A time that is selected as a number is RFC 3339. */
function rawCell(column: DatabaseColumn, raw: unknown): string | null {
  const text = rawText(raw);
  const isSeconds = isTimeColumn(column) && Number.isFinite(Number(text ?? Number.NaN));
  return isSeconds ? wholeSeconds(readColumnTime(raw)) : text;
}

const LONGEST_RAW = 200;

function mayBeSecret(raw: string, column: string): boolean {
  return raw.length > LONGEST_RAW || looksLikeCredential(column) || containsCredential(raw);
}

const FREE_TEXTS: ReadonlySet<FieldKind | undefined> = new Set(['text', 'list', 'any']);

/** Whether a free text contains words, other than a number, that the answer leaves out. */
function isUnanswered(raw: string, answered: string, kind: FieldKind | undefined): boolean {
  if (!FREE_TEXTS.has(kind) || /^-?\d{1,10}$/.test(raw)) return false;
  return !raw.split(/[\s,;|]+/).every((word) => answered.includes(word));
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : toJson(value ?? null));

/** The most characters of a value on a terminal. */
const MOST_SHOWN = 40;

/** A value of a field as a cell. */
export function valueCell(value: unknown, { width }: Screen): Cell {
  const text = textOf(value);
  if (text === 'null') return { text, style: 'dim' };
  return width === null || text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN - 1)}…`;
}

const PART: Column<TracedField> = { heading: 'PART', cell: ({ part }) => String(part) };

const COLUMNS: readonly Column<TracedField>[] = [
  { heading: 'FIELD', cell: ({ field }) => field },
  { heading: 'COLUMN', cell: ({ columns }) => columns.join(', ') || '-' },
  {
    heading: 'RAW',
    cell: ({ raw }, screen) => (raw.length === 0 ? '-' : valueCell(raw.length === 1 ? raw[0] : raw, screen)),
    narrow: 'cut',
  },
  { heading: 'ANSWERED', cell: ({ value }, screen) => valueCell(value, screen), narrow: 'cut' },
];
