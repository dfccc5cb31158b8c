/**
 * What a knex query consists of. knex tells that in no other way; it has kept these names since its first version.
 */
export interface BuilderParts {
  readonly _method?: unknown;
  readonly _single?: Readonly<Record<string, unknown>>;
  readonly _statements?: BuilderStatement[];
}

interface BuilderStatement {
  readonly grouping?: unknown;
  readonly bool?: unknown;
  readonly table?: unknown;
  readonly alias?: unknown;
}

/** The parts of a builder; none of what is no builder. */
export function builderParts(given: unknown): BuilderParts {
  return (given ?? {}) as BuilderParts;
}
