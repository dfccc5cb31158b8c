import type { Knex } from 'knex';
import type { SqlCondition } from '../database/Comparison';
import type { Database } from '../database/Database';
import { DatabaseFailure } from '../database/DatabaseFailure';
import type { Run } from '../database/Run';
import { ApiError } from '../errors/ApiError';
import type { Fields } from '../fields';
import { readInteger } from '../fields/readInteger';
import type { PanelLog } from '../log/PanelLog';
import { printable } from '../text/printable';
import { type Column, isIntegerColumn } from './Column';
import { chunkRows } from './chunkRows';
import { conditionSql } from './conditionSql';
import { keyChecker } from './keyChecker';
import { keyConditions } from './keyConditions';
import type { ListIds } from './ListIds';
import type { LiveTable } from './LiveTable';
import { panelQuery } from './panelQuery';
import { planRows } from './planRows';
import { queryTables } from './queryTables';
import type { RawRow, RowPlan } from './RowPlan';
import { rowReader } from './rowReader';
import type { Chunk, Key, Row, RowsQuery, Source, SourceReport } from './Source';
import type { QuerySourceOptions, TableSourceOptions } from './SourceOptions';

interface SqlSourceParts {
  readonly resource: string;
  readonly fields: Fields;
  readonly options: TableSourceOptions | QuerySourceOptions;
  readonly ids: ListIds;
  readonly database: Database;
  readonly log: PanelLog;
}

/** What is known since the last look. */
interface Look {
  readonly plan: RowPlan;
  readonly report: SourceReport;
  readonly read: (raw: RawRow, now: Date) => Row;
}

/** How many of the newest rows a look at some of them takes. */
const SOME_ROWS = 10_000;
const MOST_WORDS = 5;

/** Reads a list from a table or a query of the panel's: only the columns that it names, in the order of the key. */
export class SqlSource implements Source {
  readonly statements = 1;
  readonly #parts: SqlSourceParts;
  #look: Look | undefined;

  constructor(parts: SqlSourceParts) {
    this.#parts = parts;
  }

  async inspect(depth: 'all' | 'some'): Promise<SourceReport> {
    const { plan, report } = await this.#lookAfresh();
    if (report.state !== 'served' || plan.translations.length === 0) return report;
    return { ...report, warnings: [...report.warnings, ...(await this.#uncoveredWords(plan, depth))] };
  }

  async report(): Promise<SourceReport> {
    return (await this.#known()).report;
  }

  accepts(key: Key): boolean {
    const { key: columns = [] } = this.#look?.plan ?? {};
    return (
      key.length === columns.length &&
      key.every((text, index) => this.#bind(text, columns[index]) !== undefined)
    );
  }

  async *chunks(query: RowsQuery, run: Run): AsyncGenerator<Chunk, void, undefined> {
    const { plan, read } = await this.#served();
    const keyOf = (row: RawRow | undefined): Key => plan.key.map((position) => keyText(row, position, plan));
    const size = chunkRows(query);
    const checkKeys = keyChecker(this.#parts.resource, plan);
    const select = (after: Key | null) => this.#select(plan, query, after, run);
    let ahead: Promise<readonly RawRow[]> | undefined;
    let after: Key | null = query.after;
    try {
      for (;;) {
        const rows: readonly RawRow[] = await (ahead ?? select(after));
        ahead = undefined;
        checkKeys(rows, size);
        const now = new Date();
        if (rows.length <= size) {
          yield { ...chunkOf(rows, (row) => read(row, now), keyOf), last: true };
          return;
        }
        // One row more than needed has shown whether the key tells rows apart.
        after = keyOf(rows[size - 1]);
        if (query.limit === null) ahead = select(after);
        // Whoever stops here leaves it behind.
        ahead?.catch(() => undefined);
        yield { ...chunkOf(rows.slice(0, size), (row) => read(row, now), keyOf), last: false };
      }
    } finally {
      await ahead?.catch(() => undefined);
    }
  }

  async #select(plan: RowPlan, query: RowsQuery, after: Key | null, run: Run): Promise<readonly RawRow[]> {
    const { resource, database } = this.#parts;
    let failed: { readonly cause: unknown } | undefined;
    const begun = (knex: Knex) => {
      try {
        return this.#rows(knex, plan);
      } catch (cause) {
        failed = { cause };
        throw cause;
      }
    };
    try {
      return await run(`${resource}.rows`, (knex) => {
        const rows = begun(knex).limit(chunkRows(query) + 1);
        for (const { sql, bindings } of this.#conditions(plan, query, after)) rows.whereRaw(sql, bindings);
        return rows;
      });
    } catch (error) {
      // A query of the panel's that throws is no failure of the database.
      if (failed) throw failed.cause;
      // A column may have gone since the last look: then the resource is missing, and the database has not failed.
      if (error instanceof DatabaseFailure && database.dialect.isSchemaFailure(error)) {
        this.#look = undefined;
        await this.#served();
      }
      throw error;
    }
  }

  #conditions(
    plan: RowPlan,
    { filters, updatedSince }: RowsQuery,
    after: Key | null,
  ): readonly SqlCondition[] {
    const { dialect } = this.#parts.database;
    const asked = [...filters].map(([name, wanted]) => {
      const narrow = plan.fields.find((field) => field.name === name)?.narrow;
      return conditionSql(narrow?.(wanted) ?? 'every', dialect);
    });
    const since =
      updatedSince === null || updatedSince <= 0 || !plan.changes
        ? []
        : [dialect.since({ ...plan.changes.column, ...plan.changes }, updatedSince)];
    return [...asked, ...since, ...(after ? keyConditions(this.#keyColumns(plan), after, dialect) : [])];
  }

  /** The query with its columns in the order of the key. */
  #rows(knex: Knex, plan: RowPlan): Knex.QueryBuilder {
    const { dialect } = this.#parts.database;
    const selected = plan.columns.map((column, index) =>
      // Numbered names pass unchanged through a handle that renames columns.
      knex.raw(`${dialect.selectSql(column)} AS ??`, [column.name, `c${index}`]),
    );
    const query = this.#query(knex).select(selected);
    for (const column of this.#keyColumns(plan))
      query.orderByRaw(dialect.compareKey(column).left, [column.name]);
    return query.options(dialect.exactValues);
  }

  #query(knex: Knex): Knex.QueryBuilder {
    const { resource, options } = this.#parts;
    if (!('query' in options)) return knex(options.table ?? resource);
    return panelQuery(options.query, knex).clone().clearSelect().clearOrder();
  }

  #keyColumns({ key, columns }: RowPlan): readonly Column[] {
    return key.map((position) => columns[position] as Column);
  }

  #bind(text: string, position: number | undefined): unknown {
    const column = this.#look?.plan.columns[position ?? -1];
    return column && this.#parts.database.dialect.compareKey(column).bind(text);
  }

  // A table that was missing may have come since the last look; one that was there is not looked at again.
  async #known(): Promise<Look> {
    const known = this.#look;
    return known?.report.state === 'served' ? known : this.#lookAfresh();
  }

  async #served(): Promise<Look> {
    const look = await this.#known();
    if (look.report.state !== 'served') throw new ApiError('resource_unavailable');
    return look;
  }

  async #lookAfresh(): Promise<Look> {
    const { resource, fields, options, ids, log } = this.#parts;
    const tables = await this.#liveTables();
    const byName = !('query' in options);
    const found = planRows({ fields, sources: options.fields ?? {}, byName, tables, ids });
    const plan = found.missing.length > 0 || byName ? found : await this.#tried(found);
    const news = plan.missing.join(' ') !== (this.#look?.report.missing ?? []).join(' ');
    if (news && plan.missing.length > 0) {
      log.warn('panel-api resource unavailable', { resource, missing: plan.missing });
    }
    this.#look = { plan, report: reportOf(plan), read: rowReader(plan.fields) };
    return this.#look;
  }

  async #liveTables(): Promise<readonly LiveTable[]> {
    const { resource, database } = this.#parts;
    const named = queryTables(this.#query(database.knex));
    return Promise.all(
      named.map(async ({ alias, table }) => {
        if (table === null) return { alias, table, columns: [] };
        const rows = await database.rows(`${resource}.columns`, database.dialect.columnsSql, [table]);
        const columns = rows.map(
          ({ name, type, collation }): Column => ({
            name: String(name),
            type: String(type).toLowerCase(),
            ...(typeof collation === 'string' ? { collation } : {}),
          }),
        );
        return { alias, table, columns };
      }),
    );
  }

  // The conditions of a query may name what is not there, and so may the columns of its derived tables.
  async #tried(plan: RowPlan): Promise<RowPlan> {
    const { resource, database } = this.#parts;
    try {
      await database.query(`${resource}.try`, (knex) => this.#rows(knex, plan).limit(0));
      return plan;
    } catch (error) {
      if (!(error instanceof DatabaseFailure && database.dialect.isSchemaFailure(error))) throw error;
      return {
        ...plan,
        missing: [`The query names what is not there, or what is there twice (${error.code}).`],
      };
    }
  }

  /** Says which words of a column none of the panel's rules translates. */
  async #uncoveredWords(plan: RowPlan, depth: 'all' | 'some'): Promise<readonly string[]> {
    const { resource, database } = this.#parts;
    const { translations } = plan;
    const found = await Promise.all(
      translations.map(async ({ field, column, covers }) => {
        const rows: readonly RawRow[] = await database.query(`${resource}.words`, (knex) => {
          const words = this.#query(knex).select(knex.raw('?? AS ??', [column.name, 'c0']));
          if (depth === 'some') {
            for (const key of this.#keyColumns(plan)) words.orderBy(key.name, 'desc');
            words.limit(SOME_ROWS);
          }
          return knex.distinct('c0').from(words.as('t')).limit(1000).options(database.dialect.exactValues);
        });
        const words = rows.map(({ c0 }) => c0).filter((word) => !covers(word));
        return words.length > 0 ? [uncovered(field, column, words)] : [];
      }),
    );
    return found.flat();
  }
}

function chunkOf(
  rows: readonly RawRow[],
  read: (row: RawRow) => Row,
  keyOf: (row?: RawRow) => Key,
): Omit<Chunk, 'last'> {
  return { items: rows.map(read), keyOf: (index) => keyOf(rows[index]) };
}

// The text of a whole number must be the same whatever the driver gives for it.
function keyText(row: RawRow | undefined, position: number, { columns }: RowPlan): string {
  const raw = row?.[`c${position}`];
  const column = columns[position];
  return String(column && isIntegerColumn(column) ? readInteger(raw) : raw);
}

function uncovered(field: string, { name }: Column, words: readonly unknown[]): string {
  const shown = words.slice(0, MOST_WORDS).map((word) => `"${printable(String(word), 40)}"`);
  const more = words.length > MOST_WORDS ? ` and ${words.length - MOST_WORDS} more` : '';
  return `The column ${name} holds ${shown.join(', ')}${more}, which no rule of the field ${field} covers.`;
}

function reportOf(plan: RowPlan): SourceReport {
  const { missing, warnings, itemSchema, fields, changes } = plan;
  return {
    state: missing.length === 0 ? 'served' : 'missing',
    missing,
    warnings,
    itemSchema,
    filters: fields.filter(({ narrow }) => narrow !== undefined).map(({ name }) => name),
    updatedSince: changes !== null,
  };
}
