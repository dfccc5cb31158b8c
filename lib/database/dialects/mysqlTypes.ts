/** A column of a result, as the driver describes it. */
export interface DescribedField {
  readonly name: string;
  readonly columnType: number;
  readonly characterSet: number;
  readonly flags: number;
  readonly decimals: number;
  /** In bytes, of a text. */
  readonly columnLength: number;
  /** Only MariaDB reports it. */
  readonly extendedTypeName?: string | undefined;
  readonly extendedFormat?: string | undefined;
}

const TYPE_NAMES: Readonly<Record<number, string>> = {
  0: 'decimal',
  1: 'tinyint',
  2: 'smallint',
  3: 'int',
  4: 'float',
  5: 'double',
  7: 'timestamp',
  8: 'bigint',
  9: 'mediumint',
  10: 'date',
  11: 'time',
  12: 'datetime',
  13: 'year',
  14: 'date',
  16: 'bit',
  245: 'json',
  246: 'decimal',
};
const [ENUM_FLAG, SET_FLAG, BINARY_CHARSET] = [256, 2048, 63];

/** Returns the database's own name of the column's type. */
export function typeName(field: DescribedField): string {
  const { columnType, characterSet, flags } = field;
  const named = field.extendedFormat ?? field.extendedTypeName;
  if (named !== undefined) return named;
  if (flags & ENUM_FLAG) return 'enum';
  if (flags & SET_FLAG) return 'set';
  const isBinary = characterSet === BINARY_CHARSET;
  if (columnType >= 249 && columnType <= 252) return isBinary ? 'blob' : 'text';
  if (columnType === 253 || columnType === 15) return isBinary ? 'varbinary' : 'varchar';
  if (columnType === 254) return isBinary ? 'binary' : 'char';
  return TYPE_NAMES[columnType] ?? 'other';
}
