/** For each filtered field the values to include, as texts. */
export type Filters = ReadonlyMap<string, ReadonlySet<string>>;

/** Whether a value is one of these. A field without a value has none, although the text `null` may be among them. */
export function isOneOf(value: unknown, wanted: ReadonlySet<string> | undefined): boolean {
  return value !== null && value !== undefined && wanted?.has(String(value)) === true;
}

/** Returns the test whether an item has, for each filter, one of its values. A source may return more items. */
export function filterTest(filters: Filters): (item: Readonly<Record<string, unknown>>) => boolean {
  const all = [...filters];
  return (item) => all.every(([name, wanted]) => isOneOf(item[name], wanted));
}

/** Returns the filters with one more: the field has one of these values. */
export function narrowed(filters: Filters, field: string, values: ReadonlySet<string>): Filters {
  const asked = filters.get(field);
  const both = asked ? new Set([...asked].filter((one) => values.has(one))) : values;
  return new Map(filters).set(field, both);
}

/** Whether no row can match, because a filter has no values. Then nothing needs to be read. */
export function isEmpty(filters: Filters): boolean {
  return [...filters.values()].some((values) => values.size === 0);
}
