import type { Knex } from 'knex';
import type { Operation } from '../../../lib/fields/Operation';
import type { Engine, TestDatabase } from '../../fixture/databases';
import type { StoredRow } from './listItems';
import { ListOracle } from './listOracle';
import type { GivenRow } from './listRows';

interface Held {
  readonly rows: readonly GivenRow[];
  readonly oracle: ListOracle;
}

/** The tables of the lists in one database, and oracles that have read them. */
export class ListTables {
  readonly #engine: Engine;
  readonly #knex: Knex;
  readonly #held = new Map<string, Held>();

  constructor({ engine, knex }: TestDatabase) {
    this.#engine = engine;
    this.#knex = knex;
  }

  /** The fields of a list that its table has a column for. */
  async columns({ name, fields }: Operation): Promise<readonly string[]> {
    const columns = await this.#knex(name).columnInfo();
    return Object.keys(fields).filter((field) => field in columns);
  }

  /** Returns an oracle of a list with exactly these rows. */
  async hold(operation: Operation, rows: readonly GivenRow[]): Promise<ListOracle> {
    const { name } = operation;
    const held = this.#held.get(name);
    if (held?.rows === rows) return held.oracle;
    this.#held.delete(name);
    await this.#knex(name).delete();
    if (rows.length > 0) await this.#knex(name).insert(rows.map((row) => this.#written(row)));
    const oracle = new ListOracle(operation, await this.#stored(operation));
    this.#held.set(name, { rows, oracle });
    return oracle;
  }

  /** In PostgreSQL, a text without a zone would be a time of the session's. */
  #written(row: GivenRow): GivenRow {
    if (this.#engine !== 'postgresql') return row;
    const inZone = (value: GivenRow[string]) =>
      typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:/.test(value) ? `${value}+00` : value;
    return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, inZone(value)]));
  }

  /** Reads a list's table with every column as the text that the database writes. */
  async #stored(operation: Operation): Promise<readonly StoredRow[]> {
    const columns = await this.columns(operation);
    const type = this.#engine === 'mariadb' ? 'CHAR' : 'TEXT';
    return this.#knex.transaction(async (session): Promise<StoredRow[]> => {
      if (this.#engine === 'postgresql') await session.raw("SET LOCAL TIME ZONE 'UTC'");
      return session(operation.name).select(
        columns.map((column) => session.raw(`CAST(?? AS ${type}) AS ??`, [column, column])),
      );
    });
  }
}
