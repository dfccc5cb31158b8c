import type { Database } from '../../database/Database';
import { DatabaseFailure } from '../../database/DatabaseFailure';
import type { Run, Statement } from '../../database/Statement';
import { ApiError } from '../../errors/ApiError';
import { createReadContext, keyName, type ReadContext } from '../../fields/Field';
import { FIRST_ROWS, firstRows, meanLength, nextRows } from '../chunks';
import { type FieldReading, isConfirmed } from '../findings';
import { cell, type FieldPlan, HELD_BACK, type RawRow, type RowPlan } from '../mapping/FieldPlan';
import type { FieldSources } from '../mapping/kinds';
import { fieldsFor, planRows, referencesOf } from '../mapping/rowPlan';
import { rowReader } from '../rowReader';
import {
  type Chunk,
  ColumnsChanged,
  type Row,
  type RowsQuery,
  requireServed,
  type Source,
  type SourceReport,
} from '../Source';
import type { QuerySourceOptions, SourceParts, TableSourceOptions } from '../SourceOptions';
import { deletedRows } from './deletedRows';
import { findColumns, misnamed } from './findColumns';
import { readGroups } from './groups';
import { unmappedValues } from './inspect';
import { lastLook } from './LastLook';
import { type Ordering, type Orderings, orderingsOf } from './ordering';
import { isGrouped, relationOf } from './panelQuery';
import { type RowsSelect, rowsSelect, selectPlanned, wantedConditions } from './select';

interface SqlSourceParts extends SourceParts<TableSourceOptions | QuerySourceOptions> {
  readonly database: Database;
  /** The same database, in the slots of CHECKS. */
  readonly checks: Database;
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
export function sqlSource({ resource, fields, options, ids, database, checks, log }: SqlSourceParts): Source {
  const relation = relationOf(resource, options, database);
  const { dialect } = relation;
  const described = { fields, sources: options.fields ?? {}, byName: relation.table !== null };
  const looks = lastLook(look, { requests: database.run, checks: checks.run });
  /** The mean length of the rows that were read last, or of longer ones shortly before; null before the first read. */
  let rowLength: number | null = null;

  async function look(run: Run): Promise<Look> {
    const wasMissing = looks.found()?.report.state === 'missing';
    const columns = await findColumns(referencesOf(described), { resource, ...relation, run, wasMissing });
    const plan = await tried(planRows({ ...described, columns, ids }), run);
    // Another look may have said so meanwhile.
    const news = plan.missing.join(' ') !== (looks.found()?.report.missing ?? []).join(' ');
    if (news && plan.missing.length > 0) {
      log.warn('panel-api resource unavailable', { resource, missing: plan.missing });
    }
    const { orderings, warnings } = orderingsOf(resource, plan, dialect, options.orders);
    const report = reportOf(
      { ...plan, warnings: [...plan.warnings, ...warnings] },
      orderings,
      described.sources,
    );
    return { plan, select: rowsSelect(relation, plan), orderings, report, read: rowReader(plan.fields) };
  }

  // A query that groups its rows may not select every column.
  async function tried(plan: RowPlan, run: Run): Promise<RowPlan> {
    if (plan.missing.length > 0 || !isGrouped(relation.query())) return plan;
    try {
      await run(`${resource}.try`, () => selectPlanned(relation, plan).limit(0));
      return plan;
    } catch (error) {
      if (!(error instanceof DatabaseFailure && dialect.isStatementFailure(error))) throw error;
      return { ...plan, ...misnamed(error, dialect) };
    }
  }

  async function served(run: Run): Promise<Look> {
    const found = await looks.known(run);
    requireServed(found.report);
    return found;
  }

  /** Leaves out the columns of other fields in a read of the whole list. For a page, the statement is compiled once. */
  function narrowed(found: Look, { fields: names, limit }: RowsQuery): Look {
    if (names === null || limit !== null) return found;
    // Sources around this one tell rows apart by their key.
    const wanted = fieldsFor(found.plan, [keyName(fields), ...names]);
    const sorted = [...found.orderings.values()].flat().flatMap(({ positions }) => positions);
    const selected = new Set([...sorted, ...wanted.flatMap(({ positions }) => positions)]);
    return { ...found, select: rowsSelect(relation, { ...found.plan, selected }), read: rowReader(wanted) };
  }

  /** Sends a statement made from a look, and forgets the look if a table or a column of it was removed. */
  async function send<T>(name: string, statement: PromiseLike<T>, found: Look, run: Run): Promise<T> {
    return run(`${resource}.${name}`, () => statement as Statement<T>).catch((error) => {
      // The database has not failed: the next request looks first.
      if (!(error instanceof DatabaseFailure && dialect.isStatementFailure(error))) throw error;
      looks.forget(found);
      throw new ColumnsChanged(error);
    });
  }

  /** Yields the rows of a query, those of one group of its order after another. */
  async function* chunks(query: RowsQuery, run: Run): AsyncGenerator<Chunk, void, undefined> {
    const whole = await served(run);
    const groups = whole.orderings.get(query.order);
    // Its column may have been removed after the parameters were checked.
    if (!groups) throw new ApiError('resource_unavailable');
    const found = narrowed(whole, query);
    const context = createReadContext();
    const wanted = wantedConditions(found.plan, query, dialect);
    let size = firstRows(query, rowLength);
    let { after } = query;
    // Each group has a key of another length.
    let at = after ? groups.findIndex(({ keyLength }) => keyLength === after?.length) : 0;
    let ahead: Promise<readonly RawRow[]> | undefined;
    const next = async (ordering: Ordering) => {
      const conditions = [...wanted, ...ordering.conditions(after)];
      const sending = <T>(statement: Statement<T>) => send('rows', statement, whole, run);
      const rows = await found.select(sending, ordering, conditions, size + 1, ordering.placeOf(after));
      return after === null ? rows : ordering.rowsAfter(rows, after);
    };
    try {
      while (at < groups.length) {
        const ordering = groups[at];
        if (!ordering) throw new ApiError('resource_unavailable');
        const given = await (ahead ?? next(ordering));
        ahead = undefined;
        // A row with a value that was held back is read again, with few others.
        const held = given[0] && HELD_BACK in given[0] ? given.findIndex((row) => row[HELD_BACK]) : -1;
        if (held >= 0) size = held;
        const rows = held < 0 ? given : given.slice(0, held + 1);
        ordering.checkKeys(rows);
        const isLast = rows.length <= size;
        const taken = isLast ? rows : rows.slice(0, size);
        const length = meanLength(rows);
        if (rows.length > 0 && found === whole) rowLength = Math.max(length, (rowLength ?? 0) / 2);
        if (isLast) {
          at += 1;
          after = null;
          size = firstRows(query, rowLength);
        } else {
          // Few of the first rows passed, or the whole list is wanted.
          if (size > 0) after = ordering.keyOf(rows[size - 1]);
          size = held < 0 ? nextRows(query, size, length) : FIRST_ROWS;
          // The next rows are read while these are sent; a reader that stops here ignores them.
          if (query.limit === null) ahead = next(ordering);
          ahead?.catch(() => undefined);
        }
        const items = taken.map((row) => found.read(row, context));
        const keyOf = (index: number) => ordering.keyOf(taken[index]);
        yield { items, raws: taken, keyOf, last: at === groups.length };
      }
    } finally {
      await ahead?.catch(() => undefined);
    }
  }

  return {
    statements: 1,
    async inspect(depth) {
      const { plan, report } = await looks.afresh(checks.run);
      if (report.state !== 'served' || depth === 'none') return report;
      const from = { resource, database: checks, relation };
      const unmapped = await unmappedValues(plan, depth, from);
      const key = keyName(fields);
      const deleted = isConfirmed(options.fields?.[key]) ? [] : await deletedRows(plan, key, from);
      return { ...report, warnings: [...report.warnings, ...deleted, ...unmapped] };
    },
    report: async (run) => (await looks.known(run)).report,
    async idColumn(field, run) {
      const { table } = relation;
      const { plan } = await looks.known(run);
      const column = plan.fields.find(({ name }) => name === field)?.ids;
      return table !== null && column ? { table, column } : null;
    },
    accepts: (key, order) =>
      !!looks
        .found()
        ?.orderings.get(order)
        ?.some((one) => one.mayHold(key)),
    async groups(query, run) {
      const found = await served(run);
      return readGroups(relation, found.plan, query, (statement) => send('groups', statement, found, run));
    },
    chunks,
  };
}

function reportOf(plan: RowPlan, orderings: Orderings, described: FieldSources): SourceReport {
  const { fields, columns } = plan;
  const readingOf = ({ name, positions, isNone }: FieldPlan): readonly [string, FieldReading] => {
    const read = positions.flatMap((position) => columns[position] ?? []);
    return [name, { columns: read, cells: positions.map(cell), description: described[name], isNone }];
  };
  return {
    ...plan,
    readings: Object.fromEntries(fields.map(readingOf)),
    filters: fields.filter(({ pushDown }) => pushDown).map(({ name }) => name),
    searchable: fields.filter(({ search }) => search).map(({ name }) => name),
    ranges: fields.filter(({ range }) => range).map(({ name }) => name),
    orders: [...orderings.keys()].filter((order) => order !== null),
  };
}
