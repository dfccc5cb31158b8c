/** A column of the panel's, as it stands in the live database. */
export interface Column {
  readonly name: string;
  /** The database's own name of the type, in lower case: `bigint`, `timestamp with time zone`. */
  readonly type: string;
}

export function isIntegerColumn({ type }: Column): boolean {
  return /^(?:tiny|small|medium|big)?int(?:eger|\d)?\b|^(?:small|big)?serial/.test(type);
}
