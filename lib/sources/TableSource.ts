import type { Knex } from 'knex';
import type { Database } from '../database/Database';
import { DatabaseFailure } from '../database/DatabaseFailure';
import { ApiError } from '../errors/ApiError';
import type { Fields } from '../fields';
import type { PanelLog } from '../log/PanelLog';
import type { Column } from './Column';
import { planRows, type RowPlan } from './planRows';
import { readRow } from './readRow';
import type { Row, Source, SourceReport } from './Source';
import type { TableSourceOptions } from './SourceOptions';

interface TableSourceParts {
  readonly resource: string;
  readonly fields: Fields;
  readonly options: TableSourceOptions;
  readonly database: Database;
  readonly log: PanelLog;
}

/** Reads a list from a table of the panel's: only the declared columns, in the order of the key. */
export class TableSource implements Source {
  readonly #parts: TableSourceParts;
  readonly #table: string;
  #plan: RowPlan | undefined;

  constructor(parts: TableSourceParts) {
    this.#parts = parts;
    this.#table = parts.options.table ?? parts.resource;
  }

  async inspect(): Promise<SourceReport> {
    return reportOf(await this.#look());
  }

  async report(): Promise<SourceReport> {
    return this.#plan ? reportOf(this.#plan) : this.inspect();
  }

  async probe(): Promise<void> {
    const plan = await this.#served();
    await this.#parts.database.query(`${this.#parts.resource}.probe`, (knex) =>
      this.#select(knex, plan).limit(1),
    );
  }

  async rows(): Promise<readonly Row[]> {
    const { resource, fields, database } = this.#parts;
    const plan = await this.#served();
    try {
      const rows: readonly Row[] = await database.query(`${resource}.rows`, (knex) =>
        this.#select(knex, plan),
      );
      const now = new Date();
      return this.#allowed(rows.map((row) => readRow(fields, plan, row, now)));
    } catch (error) {
      // A column may have gone since the last look: then the resource is missing, and the database has not failed.
      if (error instanceof DatabaseFailure) {
        this.#plan = undefined;
        await this.#served();
      }
      throw error;
    }
  }

  // The database may take 'PANEL.NAME' or 'pänel.name' for the key that was allowed.
  #allowed(items: readonly Row[]): readonly Row[] {
    const { keys } = this.#parts.options;
    const [key = ''] = Object.keys(this.#parts.fields);
    return keys ? items.filter((item) => keys.includes(String(item[key]))) : items;
  }

  // A table that was missing may have come since the last look; one that was there is not looked at again.
  async #served(): Promise<RowPlan> {
    const known = this.#plan;
    const plan = known && known.missing.length === 0 ? known : await this.#look();
    if (plan.missing.length > 0) throw new ApiError('resource_unavailable');
    return plan;
  }

  async #look(): Promise<RowPlan> {
    const { resource, fields, options, database, log } = this.#parts;
    const rows = await database.rows(`${resource}.columns`, database.dialect.columnsSql, [this.#table]);
    const live = rows.map(
      ({ name, type }): Column => ({ name: String(name), type: String(type).toLowerCase() }),
    );
    const plan = planRows(fields, options, this.#table, live);
    const news = plan.missing.join(' ') !== (this.#plan?.missing ?? []).join(' ');
    if (news && plan.missing.length > 0) {
      log.warn('panel-api resource unavailable', { resource, missing: plan.missing });
    }
    this.#plan = plan;
    return plan;
  }

  #select(knex: Knex, { columns }: RowPlan): Knex.QueryBuilder {
    const { dialect } = this.#parts.database;
    const { keys } = this.#parts.options;
    const selected = columns.map(({ column }, index) =>
      // Numbered names pass unchanged through a handle that renames columns.
      knex.raw(`${dialect.selectSql(column)} AS ??`, [column.name, `c${index}`]),
    );
    const query = knex(this.#table).select(selected).orderBy(keyColumn(columns)).options(dialect.exactValues);
    return keys ? query.whereIn(keyColumn(columns), keys as string[]) : query;
  }
}

// The first declared field of every list is its key, and is always required.
function keyColumn(columns: RowPlan['columns']): string {
  return columns[0]?.column.name ?? '';
}

function reportOf(plan: RowPlan): SourceReport {
  return { ...plan, state: plan.missing.length === 0 ? 'served' : 'missing' };
}
