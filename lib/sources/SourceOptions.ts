/** How one field is read where its column is not named as the field. */
export type FieldSource =
  /** The column's name. */
  | string
  /** The panel does not supply this field. */
  | false
  | {
      /** The column's name; without it, the field's. */
      readonly column?: string;
      /** Translates the panel's words, compared as text, into the API's. */
      readonly values?: Readonly<Record<string, string | number | boolean | null>>;
    };

/** A table of the panel's. */
export interface TableSourceOptions<FieldName extends string = string> {
  /** The table; without it, the one named as the resource. */
  readonly table?: string;
  /** Columns and translations; a field that is not named here is read from the column of its own name. */
  readonly fields?: { readonly [K in FieldName]?: FieldSource };
  /** For settings: the keys that may be shown. Without it none is. */
  readonly keys?: readonly string[];
}

/** Units of systemd, for services. */
export interface UnitSourceOptions {
  readonly units: readonly UnitOptions[];
}

export interface UnitOptions {
  /** The unit's name, such as `nginx` or `php8.2-fpm.service`. */
  readonly unit: string;
  /** What people call it; without it, the unit's name. */
  readonly name?: string;
  readonly category?: string;
}

/** Where a list comes from; false when the panel has no such data. */
export type SourceOptions<FieldName extends string = string> =
  | false
  | TableSourceOptions<FieldName>
  | UnitSourceOptions;
