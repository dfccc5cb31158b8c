/** A column of the panel's, as it stands in the live database. */
export interface Column {
  readonly name: string;
  /** The database's own name of the type, in lower case: `bigint`, `timestamp with time zone`. */
  readonly type: string;
  /** The collation of a text column that takes texts for one which differ. */
  readonly collation?: string;
  /** How many bytes a text has at most, if the driver tells. */
  readonly mostBytes?: number;
  /** How many digits a decimal has behind the point, if the driver tells. */
  readonly decimals?: number;
  /** The column of a table that a column of a query comes from, as PostgreSQL identifies it. */
  readonly origin?: { readonly table: number; readonly position: number };
}

export function isIntegerColumn({ type }: Column): boolean {
  return /^(?:(?:tiny|small|medium|big)?int(?:eger|\d)?\b|(?:small|big)?serial)(?!.*\[\])/.test(type);
}

/** Whether the column holds numbers or booleans by its type. */
export function isNumberColumn(column: Column): boolean {
  return isIntegerColumn(column) || /^(?:decimal|numeric|bool|bit$)/.test(column.type);
}

/** Whether the column holds bytes that are no text. One without a type may hold anything. */
export function isBinaryColumn({ type }: Column): boolean {
  return /binary|blob|bytea/.test(type);
}

/** Whether a value of the column may have more bytes than that. A column without a type may hold anything. */
export function mayExceed({ type, mostBytes = Infinity }: Column, bytes: number): boolean {
  return mostBytes > bytes && /^$|text|char|json|xml|blob|bytea|clob|\[\]$/.test(type);
}

/** Whether the column holds floating-point numbers, which have no text of their own. */
export function isFloatColumn({ type }: Column): boolean {
  // SQLite's `float` is what knex makes of decimals, which do have one there.
  return type === 'double';
}

/** Whether the database takes texts of the column for one which differ in their case alone. */
export function ignoresCase({ type, collation = '' }: Column): boolean {
  return collation.endsWith('_ci') || type === 'citext';
}

/** Whether the column holds dates or times by its type. */
export function isTimeColumn({ type }: Column): boolean {
  return /^(?:date|timestamp)/.test(type);
}
