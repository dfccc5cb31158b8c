/**
 * A row that does not hold what a required field needs, and for which nothing can stand in; or with a `cause` one of
 * which a function of the panel's could not make the field.
 */
export class UnreadableRow extends Error {
  /** The field's name. */
  readonly field: string;

  constructor(field: string, options?: { readonly cause: unknown }) {
    super(
      options ? `The function of the field ${field} threw.` : `A row holds no value for the field ${field}.`,
      options,
    );
    this.name = 'UnreadableRow';
    this.field = field;
  }
}
