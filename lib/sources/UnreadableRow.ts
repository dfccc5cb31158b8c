/** A row that does not hold what a required field needs, and for which nothing can stand in. */
export class UnreadableRow extends Error {
  /** The field's name. */
  readonly field: string;

  constructor(field: string) {
    super(`A row holds no value for the field ${field}.`);
    this.name = 'UnreadableRow';
    this.field = field;
  }
}
