/** A likely mistake in the source of a list that is served. */
export interface Finding {
  /** The kind of the mistake. Scripts compare it, so it does not change. */
  readonly code: string;
  /** The field whose description is likely to be wrong; null if it is no single one. */
  readonly field: string | null;
  readonly sentence: string;
}

/** What is meant as it is: `true` for all findings about the values of a field, or the codes of the findings that are. */
export type Confirmation = true | string | readonly string[];

/** Codes of what a source finds itself, if the values of one row do not show it. */
export const FOUND_BY_SOURCE =
  'column_missing column_shared credential id_type not_sortable reference_column spelling unchecked unmapped word_unknown'.split(
    ' ',
  );

/** The codes that the description of a field confirms, or `true`. */
export function confirmedCodes(description: unknown): readonly unknown[] {
  return [Object(description).confirm || []].flat();
}

/** Whether the panel has confirmed what a finding with this code says about the field. */
export function isConfirmed(description: unknown, code: string): boolean {
  return confirmedCodes(description).some((one) => one === true || one === code);
}
