import type { Database } from '../../database/Database';
import { DatabaseFailure } from '../../database/DatabaseFailure';
import type { Run, Statement } from '../../database/Statement';
import { createReadContext, keyName, type ReadContext } from '../../fields/Field';
import { FIRST_ROWS, firstRows, meanLength, nextRows } from '../chunks';
import { confirmedCodes, type Finding, isConfirmed } from '../findings';
import { MOST_NUMBERS } from '../ids';
import type { RawRow } from '../mapping/FieldPlan';
import { fieldsFor, planRows, type RowPlan, referencesOf } from '../mapping/rowPlan';
import type { IdColumn } from '../OwnedAccounts';
import { rowReader } from '../rowReader';
import {
  type Chunk,
  ColumnsChanged,
  type Conditions,
  type Depth,
  type Group,
  type GroupsQuery,
  type Key,
  KeyNotUnique,
  type Order,
  type Row,
  type RowsQuery,
  requireServed,
  type Source,
  type SourceReport,
  servedFields,
} from '../Source';
import type { QuerySourceOptions, SourceParts, TableSourceOptions } from '../SourceOptions';
import { deletedRows } from './deletedRows';
import { findColumns, isMisfit, misnamed, orFailure } from './findColumns';
import { readGroups } from './groups';
import { LastInspection } from './LastInspection';
import type { Ordering } from './Ordering';
import { isGrouped, type Relation, relationOf } from './panelQuery';
import { type Orderings, orderingsOf } from './sectionsOfOrders';
import { gone, OMITTED, plannedColumns, type RowsSelect, rowsSelect, wantedConditions } from './select';
import { unmappedValues } from './unmappedValues';

export interface SqlSourceParts extends SourceParts<TableSourceOptions | QuerySourceOptions> {
  readonly database: Database;
  /** The same database, in the slots of CHECKS. */
  readonly checks: Database;
}

/** What an inspection of the columns found. */
interface Inspection {
  readonly plan: RowPlan;
  readonly select: RowsSelect;
  readonly orderings: Orderings;
  readonly report: SourceReport;
  readonly read: (raw: RawRow, context: ReadContext) => Row;
}

/** Reads a list from a table or a query of the panel's: only the described columns, in the order of the key. */
export class SqlSource implements Source {
  readonly statements: number = 1;
  readonly #parts: SqlSourceParts;
  readonly #relation: Relation;
  readonly #last: LastInspection<Inspection>;
  /** The mean length of the rows that were read last, or of longer ones shortly before; null before the first read. */
  #rowLength: number | null = null;

  constructor(parts: SqlSourceParts) {
    const { resource, options, database, checks } = parts;
    this.#parts = parts;
    this.#relation = relationOf(resource, options, database);
    this.#last = new LastInspection((run) => this.#inspectColumns(run), database.run, checks.run);
  }

  async inspect(depth: Depth): Promise<SourceReport> {
    const { resource, fields, options, checks } = this.#parts;
    const { plan, report } = await this.#last.afresh(checks.run);
    if (report.state !== 'served' || depth === 'none') return report;
    const from = { resource, database: checks, relation: this.#relation };
    const unmapped = await unmappedValues(plan, depth, from);
    const key = keyName(fields);
    // Most processes inspect no rows.
    const { droppedRows } = require('./droppedRows') as typeof import('./droppedRows');
    const found: Finding[] = [];
    for (const [code, rule] of Object.entries({ deleted_rows: deletedRows, dropped_rows: droppedRows }))
      if (!isConfirmed(options.fields?.[key], code)) found.push(...(await rule(plan, key, from)));
    // What is wrong with a column is no matter of its values.
    const warnings = [...report.warnings, ...unmapped].filter(
      ({ field, code }) => !confirmedCodes(options.fields?.[field ?? '']).includes(code),
    );
    return { ...report, warnings: [...warnings, ...found] };
  }

  async report(run?: Run): Promise<SourceReport> {
    return (await this.#last.known(run)).report;
  }

  async idColumn(field: string, run: Run): Promise<IdColumn | null> {
    const { table } = this.#relation;
    const { plan } = await this.#last.known(run);
    const column = plan.fields.get(field)?.ids;
    return table !== null && column ? { table, column, isWhole: plan.where.size === 0 } : null;
  }

  accepts(key: Key, order: Order | null): boolean {
    return this.#last.found?.orderings.get(order)?.some((one) => one.accepts(key)) ?? false;
  }

  async groups(query: GroupsQuery, run: Run): Promise<readonly Group[] | null> {
    const found = await this.#served(run);
    const asked = await this.#withKeys(query, found, run);
    return readGroups(this.#relation, found.plan, asked, (statement) =>
      this.#send('groups', statement, found, run),
    );
  }

  /** Yields the rows of a query, those of one group of its order after another. */
  async *chunks(query: RowsQuery, run: Run): AsyncGenerator<Chunk, void, undefined> {
    const whole = await this.#served(run);
    const sections = whole.orderings.get(query.order) ?? gone();
    const found = this.#narrowed(whole, query);
    const context = createReadContext();
    const asked = await this.#withKeys(query, whole, run);
    const wanted = wantedConditions(found.plan, asked, this.#relation.dialect);
    const requireNumbers = distinctNumbers(found.plan, keyName(this.#parts.fields), this.#parts.resource);
    const send = <T>(statement: Statement<T>) => this.#send('rows', statement, whole, run);
    let size = firstRows(query, this.#rowLength);
    let { after } = query;
    // Each group has a key of another length.
    let at = after ? sections.findIndex(({ columns }) => columns.length === after?.length) : 0;
    let ahead: Promise<readonly RawRow[]> | undefined;
    const next = async (ordering: Ordering) => {
      const conditions = [...wanted, ...ordering.conditions(after)];
      const rows = await found.select(send, ordering, conditions, size + 1, ordering.isAfterFlag(after));
      return after === null ? rows : ordering.rowsAfter(rows, after);
    };
    try {
      while (at < sections.length) {
        const ordering = sections[at] ?? gone();
        const given = await (ahead ?? next(ordering));
        ahead = undefined;
        // A row with a value that was omitted is read again, with few others.
        const omitted = given[0] && OMITTED in given[0] ? given.findIndex((row) => row[OMITTED]) : -1;
        if (omitted >= 0) size = omitted;
        const rows = omitted < 0 ? given : given.slice(0, omitted + 1);
        ordering.requireKeys(rows);
        const isLast = rows.length <= size;
        const taken = isLast ? rows : rows.slice(0, size);
        const length = meanLength(rows);
        if (rows.length > 0 && found === whole)
          this.#rowLength = Math.max(length, (this.#rowLength ?? 0) / 2);
        if (isLast) {
          at += 1;
          after = null;
          size = firstRows(query, this.#rowLength);
        } else {
          // Few of the first rows passed, or the whole list is wanted.
          if (size > 0) after = ordering.keyOf(rows[size - 1]);
          size = omitted < 0 ? nextRows(query, size, length) : FIRST_ROWS;
          // The next rows are read while these are sent; a reader that stops here ignores them.
          if (query.limit === null) ahead = next(ordering);
          ahead?.catch(() => undefined);
        }
        const items = taken.map((row) => found.read(row, context));
        requireNumbers(items);
        const keyOf = (index: number) => ordering.keyOf(taken[index]);
        yield { items, raws: taken, keyOf, last: at === sections.length };
      }
    } finally {
      await ahead?.catch(() => undefined);
    }
  }

  /** Returns the query with keys in place of the numbers that are derived from them: SQL cannot derive numbers. */
  async #withKeys<Q extends Conditions>(query: Q, found: Inspection, run: Run): Promise<Q> {
    const filters = new Map(query.filters);
    for (const [name, wanted] of query.filters) {
      const column = found.plan.fields.get(name)?.derivedFrom;
      if (!column) continue;
      // Most lists have ids of their own.
      const { keysOf, keysSelect } = require('./derivedIds') as typeof import('./derivedIds');
      const select = keysSelect(this.#relation, found.plan, column, query);
      const rows = await this.#send('keys', select, found, run);
      filters.set(name, await keysOf(rows, name, wanted, this.#parts.resource));
    }
    return { ...query, filters };
  }

  async #inspectColumns(run: Run): Promise<Inspection> {
    const { resource, fields, options, ids, log } = this.#parts;
    const relation = this.#relation;
    const { fields: sources = {}, where } = options;
    const described = { fields, sources, where, byName: relation.table !== null };
    const wasMissing = this.#last.found?.report.state === 'missing';
    const columns = await findColumns(referencesOf(described), { resource, ...relation, run, wasMissing });
    const plan = await this.#tried(planRows({ ...described, columns, ids, dialect: relation.dialect }), run);
    // Another inspection may have said so meanwhile.
    const isNews = plan.missing.join(' ') !== (this.#last.found?.report.missing ?? []).join(' ');
    if (isNews && plan.missing.length > 0)
      log.warn('panel-api resource unavailable', { resource, missing: plan.missing });
    const { orderings, warnings } = orderingsOf(resource, plan, relation.dialect, options.orders);
    const orders = [...orderings.keys()].filter((order) => order !== null);
    const fieldPlans = [...plan.fields.values()];
    const all = [...plan.warnings, ...warnings];
    const report = { ...plan, ...servedFields(fieldPlans), orders, warnings: all };
    return { plan, select: rowsSelect(relation, plan), orderings, report, read: rowReader(fieldPlans) };
  }

  // A query that groups its rows may not select every column.
  async #tried(plan: RowPlan, run: Run): Promise<RowPlan> {
    const { dialect, query } = this.#relation;
    if (plan.missing.length > 0 || !isGrouped(query())) return plan;
    const columns = plannedColumns(this.#relation, plan, null);
    const sent = run(`${this.#parts.resource}.try`, () => query().select(columns).limit(0));
    const tried = await orFailure(sent, dialect);
    return tried instanceof DatabaseFailure ? { ...plan, ...misnamed(tried, dialect) } : plan;
  }

  async #served(run: Run): Promise<Inspection> {
    const found = await this.#last.known(run);
    requireServed(found.report);
    return found;
  }

  /** Leaves out the columns of other fields in a read of the whole list. For a page, the statement is compiled once. */
  #narrowed(found: Inspection, { fields: names, limit }: RowsQuery): Inspection {
    if (names === null || limit !== null) return found;
    const { plan, orderings } = found;
    // Sources around this one tell rows apart by their key.
    const wanted = fieldsFor(plan, [keyName(this.#parts.fields), ...names]);
    const sorted = [...orderings.values()].flat().flatMap((ordering) => ordering.columns);
    const cells = new Set([
      ...sorted.map(({ column }) => column.cell),
      ...wanted.flatMap((one) => one.cells),
    ]);
    const columns = plan.columns.filter(({ cell }) => cells.has(cell));
    const select = rowsSelect(this.#relation, { ...plan, columns });
    return { ...found, select, read: rowReader(wanted) };
  }

  /** Sends a statement made from an inspection, and forgets that if a table or a column of it was removed. */
  async #send<T>(name: string, statement: PromiseLike<T>, found: Inspection, run: Run): Promise<T> {
    return run(`${this.#parts.resource}.${name}`, () => statement as Statement<T>).catch((error) => {
      if (!isMisfit(error, this.#relation.dialect)) throw error;
      // The database has not failed: the next request inspects first.
      this.#last.forget(found);
      throw new ColumnsChanged(error);
    });
  }
}

/** Returns a function that throws KeyNotUnique if the number of a row was derived from the key of an earlier one, too. */
function distinctNumbers({ fields }: RowPlan, key: string, resource: string) {
  const numbers = fields.get(key)?.derivedFrom ? new Set<unknown>() : null;
  return (items: readonly Row[]): void => {
    for (const item of numbers ? items : []) {
      if (numbers?.has(item[key])) throw new KeyNotUnique(resource, true);
      if (numbers && numbers.size < MOST_NUMBERS) numbers.add(item[key]);
    }
  };
}
