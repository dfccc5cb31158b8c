import type { Database } from '../../database/Database';
import { DatabaseFailure } from '../../database/DatabaseFailure';
import type { Run, Statement } from '../../database/Statement';
import { ApiError } from '../../errors/ApiError';
import { createReadContext, type Fields, keyName, type ReadContext } from '../../fields';
import type { PanelLog } from '../../log/PanelLog';
import { FIRST_ROWS, firstRows, meanLength, nextRows, ROWS_PER_TURN } from '../chunks';
import { type FieldReading, isConfirmed } from '../findings';
import type { ListIds } from '../ids';
import { cell, type FieldPlan, HELD_BACK, type RawRow, type RowPlan } from '../mapping/FieldPlan';
import type { FieldSources } from '../mapping/kinds';
import { planRows, referencesOf } from '../mapping/rowPlan';
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
  type Order,
  type Row,
  type RowsQuery,
  requireServed,
  type Source,
  type SourceReport,
} from '../Source';
import type { QuerySourceOptions, TableSourceOptions } from '../SourceOptions';
import { deletedRows } from './deletedRows';
import { findColumns, misnamed } from './findColumns';
import { readGroups } from './groups';
import { unmappedValues } from './inspect';
import { LastLook } from './LastLook';
import {
  groupConditions,
  groupsAfter,
  keyChecker,
  mayHold,
  type Ordering,
  type Orderings,
  orderingsOf,
  placeOf,
  rowKey,
  rowsAfter,
} from './ordering';
import { isGrouped, type Relation, relationOf } from './panelQuery';
import { type RowsSelect, rowsSelect, selectPlanned, wantedConditions } from './select';

interface SqlSourceParts {
  readonly resource: string;
  readonly fields: Fields;
  readonly options: TableSourceOptions | QuerySourceOptions;
  readonly ids: ListIds;
  readonly database: Database;
  /** The same database, in the slots of CHECKS. */
  readonly checks: Database;
  readonly log: PanelLog;
}

/** What a look at the database found. */
interface Look {
  readonly plan: RowPlan;
  readonly select: RowsSelect;
  readonly orderings: Orderings;
  readonly report: SourceReport;
  readonly read: (raw: RawRow, context: ReadContext) => Row;
}

/** Reads a list from a table or a query of the panel's: only the described columns, in the order of the key. */
export class SqlSource implements Source {
  readonly statements = 1;
  readonly #parts: SqlSourceParts;
  readonly #relation: Relation;
  readonly #looks: LastLook<Look>;
  /** The mean length of the rows that were read last, or of longer ones shortly before; null before the first read. */
  #rowLength: number | null = null;

  constructor(parts: SqlSourceParts) {
    this.#parts = parts;
    this.#relation = relationOf(parts.resource, parts.options, parts.database);
    const runs = { requests: parts.database.run, checks: parts.checks.run };
    this.#looks = new LastLook((run) => this.#look(run), runs);
  }

  async inspect(depth: Depth): Promise<SourceReport> {
    const { checks, resource, options, fields } = this.#parts;
    const look = await this.#looks.afresh(checks.run);
    const { plan, report } = look;
    if (report.state !== 'served' || depth === 'none') return report;
    const from = { resource, database: checks, relation: this.#relation };
    const unmapped = await unmappedValues(plan, depth, from);
    const key = keyName(fields);
    const deleted =
      depth !== 'some' && !isConfirmed(options.fields?.[key]) ? await deletedRows(plan, key, from) : [];
    return { ...report, warnings: [...report.warnings, ...deleted, ...unmapped] };
  }

  async report(run?: Run): Promise<SourceReport> {
    return (await this.#looks.known(run)).report;
  }

  async idColumn(field: string, run: Run): Promise<IdColumn | null> {
    const { table } = this.#relation;
    const { plan } = await this.#looks.known(run);
    const column = plan.fields.find(({ name }) => name === field)?.ids;
    return table !== null && column ? { table, column } : null;
  }

  accepts(key: Key, order: Order | null): boolean {
    return mayHold(this.#looks.found?.orderings.get(order) ?? [], key);
  }

  async groups(query: GroupsQuery, run: Run): Promise<readonly Group[] | null> {
    const look = await this.#served(run);
    const name = `${this.#parts.resource}.groups`;
    return readGroups(this.#relation, look.plan, query, (statement) =>
      run(name, () => statement).catch((error) => this.#forgetAfter(error, look)),
    );
  }

  async *chunks(query: RowsQuery, run: Run): AsyncGenerator<Chunk, void, undefined> {
    const look = await this.#served(run);
    const orderings = look.orderings.get(query.order);
    // Its column may have been removed after the parameters were checked.
    if (!orderings) throw new ApiError('resource_unavailable');
    const context = createReadContext();
    let { after } = query;
    const groups = groupsAfter(orderings, after);
    for (const [index, ordering] of groups.entries()) {
      const isLast = index === groups.length - 1;
      for await (const chunk of this.#group(look, ordering, { ...query, after }, run, context))
        yield isLast ? chunk : { ...chunk, last: false };
      after = null;
    }
  }

  /** Yields the rows of one group of an order. */
  async *#group(
    look: Look,
    ordering: Ordering,
    query: RowsQuery,
    run: Run,
    context: ReadContext,
  ): AsyncGenerator<Chunk, void, undefined> {
    const checkKeys = keyChecker(this.#parts.resource, ordering);
    const next = () =>
      this.#select(look, ordering, { ...query, after }, size, run).catch((error) =>
        this.#forgetAfter(error, look),
      );
    let size = firstRows(query, this.#rowLength);
    let { after } = query;
    let ahead: Promise<readonly RawRow[]> | undefined;
    try {
      for (;;) {
        const given = await (ahead ?? next());
        ahead = undefined;
        // A row with a value that was held back is read again, with few others.
        const held = given[0] && HELD_BACK in given[0] ? given.findIndex((row) => row[HELD_BACK]) : -1;
        if (held >= 0) size = held;
        const rows = held < 0 ? given : given.slice(0, held + 1);
        checkKeys(rows);
        const last = rows.length <= size;
        const taken = Math.min(size, rows.length);
        const length = meanLength(rows);
        if (rows.length > 0) this.#rowLength = Math.max(length, (this.#rowLength ?? 0) / 2);
        if (!last) {
          // Few of the first rows passed, or the whole list is wanted.
          if (taken > 0) after = rowKey(ordering, rows[taken - 1]);
          size = held < 0 ? nextRows(query, size, length) : FIRST_ROWS;
          // The next rows are read while these are sent; a reader that stops here ignores them.
          if (query.limit === null) ahead = next();
          ahead?.catch(() => undefined);
        }
        // A whole list is yielded in smaller chunks than it is read in.
        const step = query.limit === null ? ROWS_PER_TURN : Math.max(1, taken);
        for (let start = 0; start === 0 || start < taken; start += step) {
          const end = Math.min(taken, start + step);
          const part = rows.slice(start, end);
          yield {
            items: part.map((row) => look.read(row, context)),
            raws: part,
            keyOf: (index) => rowKey(ordering, part[index]),
            last: last && end >= taken,
          };
        }
        if (last) return;
      }
    } finally {
      await ahead?.catch(() => undefined);
    }
  }

  // A table or a column may have been removed, and the database has not failed: the next request looks first.
  #forgetAfter(error: unknown, look: Look): never {
    const { dialect } = this.#relation;
    if (!(error instanceof DatabaseFailure && dialect.isStatementFailure(error))) throw error;
    this.#looks.forget(look);
    throw new ColumnsChanged(error);
  }

  async #select(
    { plan, select }: Look,
    ordering: Ordering,
    query: Conditions & Pick<RowsQuery, 'after'>,
    size: number,
    run: Run,
  ): Promise<readonly RawRow[]> {
    const conditions = [
      ...wantedConditions(plan, query, this.#relation.dialect),
      ...groupConditions(ordering, query.after),
    ];
    const { resource } = this.#parts;
    const send = <T>(statement: Statement<T>) => run(`${resource}.rows`, () => statement);
    const rows = await select(send, ordering, conditions, size + 1, placeOf(ordering, query.after));
    return query.after === null ? rows : rowsAfter(resource, ordering, rows, query.after);
  }

  async #served(run: Run): Promise<Look> {
    const look = await this.#looks.known(run);
    requireServed(look.report);
    return look;
  }

  async #look(run: Run): Promise<Look> {
    const { resource, fields, options, ids, log } = this.#parts;
    const relation = this.#relation;
    const described = { fields, sources: options.fields ?? {}, byName: relation.table !== null };
    const columns = await findColumns(referencesOf(described), {
      resource,
      ...relation,
      run,
      wasMissing: this.#looks.found?.report.state === 'missing',
    });
    const plan = await this.#tried(planRows({ ...described, columns, ids }), run);
    const news = plan.missing.join(' ') !== (this.#looks.found?.report.missing ?? []).join(' ');
    if (news && plan.missing.length > 0) {
      log.warn('panel-api resource unavailable', { resource, missing: plan.missing });
    }
    const select = rowsSelect(relation, plan);
    const { orderings, warnings } = orderingsOf(plan, relation.dialect, options.orders);
    const found = { ...plan, warnings: [...plan.warnings, ...warnings] };
    const report = reportOf(found, orderings, options.fields ?? {});
    return { plan, select, orderings, report, read: rowReader(plan.fields) };
  }

  // A query that groups its rows may not select every column.
  async #tried(plan: RowPlan, run: Run): Promise<RowPlan> {
    if (plan.missing.length > 0 || !isGrouped(this.#relation.query())) return plan;
    try {
      await run(`${this.#parts.resource}.try`, () => selectPlanned(this.#relation, plan).limit(0));
      return plan;
    } catch (error) {
      if (!(error instanceof DatabaseFailure && this.#relation.dialect.isStatementFailure(error)))
        throw error;
      return { ...plan, ...misnamed(error, this.#relation.dialect) };
    }
  }
}

function reportOf(plan: RowPlan, orderings: Orderings, described: FieldSources): SourceReport {
  const { state, missing, failure, warnings, itemSchema, fields, columns } = plan;
  const readingOf = ({ name, positions, isNone }: FieldPlan): FieldReading => ({
    columns: positions.flatMap((position) => columns[position] ?? []),
    cells: positions.map(cell),
    description: described[name],
    isNone,
  });
  return {
    state,
    missing,
    failure,
    warnings,
    itemSchema,
    readings: Object.fromEntries(fields.map((field) => [field.name, readingOf(field)])),
    filters: fields.filter(({ pushDown }) => pushDown).map(({ name }) => name),
    searchable: fields.filter(({ search }) => search).map(({ name }) => name),
    ranges: fields.filter(({ range }) => range).map(({ name }) => name),
    orders: [...orderings.keys()].filter((order) => order !== null),
  };
}
