/** A mistake that is planted in a right mapping. */
export interface Mistake {
  /** The field, as `list.field` or `list.part.field`; or `list` or `list.part`, if its query is wrong. */
  readonly at: string;
  readonly what: string;
  /** The wrong description, or members in place of those of the source. */
  readonly wrong: unknown;
  /** Findings of other lists that name the mistake, as `list.field code`. */
  readonly also?: readonly string[];
  /** Why nothing names it, if nothing does. */
  readonly ifSilent?: string;
}

const REASONS = {
  swap: 'each word is a word of the API, and no other field says which one is right',
  flag: 'no other field says which of the two is right',
  text: 'any value may be right',
  size: 'the values are plausible in both units',
  row: 'no rule compares it with the other fields of its row',
  none: 'a panel may have no such value or row',
  both: 'a panel may have one time for both',
  few: 'too few rows of the panel show it',
} as const;

type Given = readonly [
  at: string,
  what: string,
  wrong: unknown,
  reason?: keyof typeof REASONS | null,
  ...also: readonly string[],
];

export function mistakes(given: readonly Given[]): readonly Mistake[] {
  return given.map(([at, what, wrong, reason, ...also]) => ({
    at,
    what,
    wrong,
    also,
    ...(reason && { ifSilent: REASONS[reason] }),
  }));
}
