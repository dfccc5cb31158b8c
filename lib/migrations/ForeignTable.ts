import { DatabaseFailure } from '../database/DatabaseFailure';

/** A table that has the name of one of the module's and is another. The module neither uses nor drops it. */
export class ForeignTable extends DatabaseFailure {
  readonly table: string;

  constructor(table: string) {
    super('migrations.tables', 'FOREIGN_TABLE');
    this.table = table;
    this.message = `The table ${table} is there, and is not one that this module created: remove it, or choose another tablePrefix.`;
  }
}
