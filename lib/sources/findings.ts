/** A likely mistake in the source of a list that is served. */
export interface Finding {
  /** The kind of the mistake. Scripts compare it, so it does not change. */
  readonly code: string;
  /** The field whose description is likely to be wrong; null if it is no single one. */
  readonly field: string | null;
  readonly sentence: string;
}

/** Whether the panel has confirmed that the field is read as it should be. */
export function isConfirmed(description: unknown): boolean {
  return Object(description).confirm === true;
}
