import type { Field, Fields } from '../fields';
import { rawText } from '../fields/rawText';
import type { Column } from './Column';
import { columnReader, rawValue } from './columnReader';
import { constantNarrow } from './constantNarrow';
import { itemSchema } from './itemSchema';
import { ListIds } from './ListIds';
import { findColumn, isAmbiguous, type LiveTable } from './LiveTable';
import { narrowing } from './narrowing';
import { plainResult, takesLists } from './plainResult';
import { decide, liveCases, narrowCases } from './plannedCases';
import type { PlannedField, RawRow, RowPlan, Translation } from './RowPlan';
import type {
  CasesSource,
  ColumnSource,
  ColumnsSource,
  ConstantSource,
  FieldSource,
  FieldSources,
} from './SourceOptions';
import { spellings } from './spellings';

/** What a plan is made of. */
export interface PlanParts {
  readonly fields: Fields;
  readonly sources: FieldSources;
  /** Whether a field that `sources` does not name is read from the column of its own name. */
  readonly byName: boolean;
  readonly tables: readonly LiveTable[];
  readonly ids: ListIds;
}

/** Decides how each field is read from the live columns, and says what is missing. */
export function planRows(parts: PlanParts): RowPlan {
  const planner = new Planner(parts);
  return planner.plan();
}

class Planner {
  readonly #parts: PlanParts;
  readonly #columns: Column[] = [];
  readonly #missing: string[] = [];
  readonly #warnings: string[] = [];
  readonly #translations: Translation[] = [];
  readonly #absent = new Map<string, readonly string[]>();
  #key: readonly number[] = [];
  #changes: RowPlan['changes'] = null;

  constructor(parts: PlanParts) {
    this.#parts = parts;
  }

  plan(): RowPlan {
    const { fields, tables } = this.#parts;
    const absent = tables.filter(({ table, columns }) => table !== null && columns.length === 0);
    const planned = new Map<string, PlannedField>();
    for (const [name, field] of Object.entries(fields)) {
      const found = this.#planField(name, field);
      if (found) planned.set(name, found);
    }
    const served = Object.keys(fields).filter(
      (name) => planned.has(name) || this.#isDerivable(name, fields[name] as Field, planned),
    );
    for (const [name, field] of Object.entries(fields)) {
      if (!served.includes(name)) this.#explainAbsence(name, field);
    }
    return {
      missing: absent.length > 0 ? absent.map(({ table }) => `There is no table ${table}.`) : this.#missing,
      warnings: absent.length > 0 ? [] : this.#warnings,
      columns: this.#columns,
      key: this.#key,
      fields: served.map((name) => planned.get(name) ?? unread(name, fields[name] as Field)),
      itemSchema: itemSchema(fields, served, columnsOf(planned)),
      translations: this.#translations,
      changes: this.#changes,
    };
  }

  #planField(name: string, field: Field): PlannedField | undefined {
    const source = this.#sourceOf(name);
    if (source === undefined || source === false) return undefined;
    if (typeof source === 'string') return this.#fromColumn(name, field, { column: source });
    if ('value' in source) return this.#constant(name, field, source);
    if ('columns' in source) return this.#fromColumns(name, field, source);
    if ('cases' in source) return this.#fromCases(name, field, source);
    return this.#fromColumn(name, field, source);
  }

  #sourceOf(name: string): FieldSource | undefined {
    const { sources, byName } = this.#parts;
    return Object.hasOwn(sources, name) ? sources[name] : byName ? name : undefined;
  }

  #constant(name: string, field: Field, { value }: ConstantSource): PlannedField {
    const part = this.#parts.ids.partOf(name, field);
    const constant: unknown = ListIds.toList(field.reader()(value), part);
    return { name, field, read: () => constant, narrow: constantNarrow(field, constant) };
  }

  #fromColumn(name: string, field: Field, source: ColumnSource): PlannedField | undefined {
    const { ids, tables } = this.#parts;
    const reference = source.column ?? name;
    const column = findColumn(reference, tables);
    if (!column) {
      this.#absent.set(name, [reference]);
      return undefined;
    }
    const refused = source.from ? undefined : field.refuses?.(column);
    if (refused !== undefined) this.#missing.push(`The column ${this.#named(column)} ${refused}.`);
    const part = ids.partOf(name, field, source.part);
    const read = columnReader(field, column, source);
    const position = this.#select(column);
    const narrow = narrowing(field, column, source);
    if (this.#isKey(name)) this.#key = [position];
    if (name === CHANGED && !source.from && !source.values && field.kind === 'time') {
      this.#changes = { column, form: source.time, zoned: source.zone !== undefined };
    }
    if (source.values && source.otherwise === undefined) this.#translate(name, column, source);
    return {
      name,
      field,
      read: readerAt(position, read, part),
      ...(source.from || source.values ? {} : { column }),
      ...(narrow ? { narrow: (wanted) => narrow(ListIds.toPanel(wanted, part)) } : {}),
    };
  }

  #fromColumns(name: string, field: Field, source: ColumnsSource): PlannedField | undefined {
    const { ids, tables } = this.#parts;
    const found = Object.entries(source.columns).flatMap(([label, reference]) => {
      const column = findColumn(reference, tables);
      return column ? [{ label, column }] : [];
    });
    const absent = Object.values(source.columns).filter((reference) => !findColumn(reference, tables));
    if (absent.length > 0) {
      this.#absent.set(name, absent);
      return undefined;
    }
    const values = found.map(({ label, column }) => ({
      label,
      key: cell(this.#select(column)),
      read: rawValue(column),
    }));
    if (this.#isKey(name)) this.#key = found.map(({ column }) => this.#select(column));
    const part = ids.partOf(name, field, source.part);
    const [made, list] = [field.reader(), takesLists(field)];
    const read = (raw: RawRow) => {
      const held = Object.fromEntries(values.map(({ label, key, read }) => [label, read(raw[key])]));
      return made(plainResult(source.compute(held), list));
    };
    return { name, field, read: part === null ? read : (raw) => ListIds.toList(read(raw), part) };
  }

  #fromCases(name: string, field: Field, source: CasesSource): PlannedField | undefined {
    const { tables } = this.#parts;
    const cases = liveCases(source, field, (reference) => findColumn(reference, tables));
    if (!cases) {
      const references = source.cases.flatMap(({ when }) => Object.keys(when));
      this.#absent.set(
        name,
        [...new Set(references)].filter((reference) => !findColumn(reference, tables)),
      );
      return undefined;
    }
    for (const { column } of cases.flatMap(({ when }) => when)) this.#select(column);
    const otherwise =
      source.otherwise === undefined ? (field.uncovered ?? null) : field.reader()(source.otherwise);
    const keys = new Map(this.#columns.map(({ name: column }, position) => [column, cell(position)]));
    return {
      name,
      field,
      read: (raw) => decide(cases, otherwise, (column) => raw[keys.get(column.name) ?? '']),
      ...(field.filterable ? { narrow: narrowCases(field, cases, otherwise) } : {}),
    };
  }

  #select(column: Column): number {
    const known = this.#columns.findIndex(({ name }) => name === column.name);
    return known >= 0 ? known : this.#columns.push(column) - 1;
  }

  #translate(field: string, column: Column, { values = {}, null: none }: ColumnSource): void {
    const words = new Set(Object.keys(values).concat([none ?? []].flat().map(String)));
    const covers = (raw: unknown) => {
      const text = rawText(raw)?.trim();
      return text === undefined || words.has(text) || spellings(text).some((spelt) => words.has(spelt));
    };
    this.#translations.push({ field, column, covers });
  }

  #isKey(name: string): boolean {
    return Object.keys(this.#parts.fields)[0] === name;
  }

  #isDerivable(name: string, { derivation }: Field, planned: ReadonlyMap<string, PlannedField>): boolean {
    if (this.#sourceOf(name) === false) return false;
    return derivation?.from.every((input) => planned.has(input)) ?? false;
  }

  /** Says why a field is not served, if somebody asked for it. */
  #explainAbsence(name: string, { required }: Field): void {
    const absent = this.#absent.get(name) ?? [];
    const sentences = absent.map((reference) => `${this.#noColumn(reference)} (field ${name}).`);
    if (required)
      this.#missing.push(...(absent.length > 0 ? sentences : [`Nothing is named for the field ${name}.`]));
    // Without a word from the panel, a column that is not there is a field that is not served.
    else if (Object.hasOwn(this.#parts.sources, name)) this.#warnings.push(...sentences);
  }

  #noColumn(reference: string): string {
    const [alias, name] = reference.split('.');
    const { tables } = this.#parts;
    if (isAmbiguous(reference, tables)) {
      return `Several tables of the query have a column ${reference}, which needs an alias`;
    }
    const table = name === undefined ? tables[0] : tables.find((known) => known.alias === alias);
    return table?.table
      ? `The table ${table.table} has no column ${name ?? alias}`
      : `The query has no column ${reference}`;
  }

  #named({ name }: Column): string {
    const [first] = this.#parts.tables;
    return name.includes('.') || !first?.table ? name : `${name} of the table ${first.table}`;
  }
}

/** The field by which a client asks for what was changed. */
export const CHANGED = 'updated_at';

function cell(position: number): string {
  return `c${position}`;
}

function readerAt(
  position: number,
  read: (raw: unknown) => unknown,
  part: number | null,
): PlannedField['read'] {
  const key = cell(position);
  if (part === null) return (raw) => read(raw[key]);
  return (raw) => ListIds.toList(read(raw[key]), part);
}

// What is worked out from other columns is found by whoever reads every row.
function unread(name: string, field: Field): PlannedField {
  return { name, field, read: () => null, ...(field.filterable ? { narrow: () => 'every' } : {}) };
}

function columnsOf(planned: ReadonlyMap<string, PlannedField>): ReadonlyMap<string, Column> {
  return new Map([...planned].flatMap(([name, { column }]) => (column ? [[name, column] as const] : [])));
}
